"""The words of the report's page, in both languages."""

from __future__ import annotations

from typing import Final

Two = tuple[str, str]
"""English, Chinese."""

WORDS: Final[dict[str, Two]] = {
    "title": ("Audit report", "审核报告"),
    "people": ("1  Do people agree with each other?", "1  标注员之间是否一致？"),
    "judge": ("2  Does the judge score as people do?", "2  裁判与人工评分是否一致？"),
    "keep": ("3  How many candidates survive?", "3  有多少候选数据通过审核？"),
    "prefer": ("4  Which response do people prefer?", "4  人更偏好哪个回答？"),
    "accurate": ("5  How often do models find the right choice?", "5  模型选对的比例有多高？"),
    "all": ("All together", "全部合计"),
    "by": ("By {fields}", "按{fields}"),
    "and": (" and ", "和"),
    "command": ("Prints these again:", "重新得到这些数值："),
    "facts": (
        "{software} · {rubric} · seed {seed} · {resamples} resamples",
        "{software} · {rubric} · 随机种子 {seed} · 重抽样 {resamples} 次",
    ),
    "hashes": (
        "{count} label events · SHA-256 {events}… · items {items}… · judges {judges}…",
        "{count} 条标注事件 · SHA-256 {events}… · 数据项 {items}… · 裁判 {judges}…",
    ),
    "again": (
        "annotator report --verify FILE.json WORKSPACE computes every number again and compares.",
        "annotator report --verify FILE.json WORKSPACE 会重新计算全部数值并逐一比对。",
    ),
    "items": ("items", "数据项"),
    "items_title": ("Items behind the figures", "指标所依据的数据项"),
    "items_how": (
        "Every figure above leads to its list here; annotator show WORKSPACE ITEM shows one of its items.",
        "以上每个指标都链接到这里的列表；annotator show WORKSPACE ITEM 显示其中一项。",
    ),
    "figure": ("figure", "指标"),
    "of": ("of", "对象"),
    "value": ("value", "数值"),
    "interval": ("95 % interval", "95% 区间"),
    "n": ("n", "n"),
    "clusters": ("dialogues", "对话数"),
    "images": ("images", "图像数"),
    "why": ("definition, or why there is none", "定义，或无法给出的原因"),
    "numbers": ("All numbers", "全部数值"),
    "undefined": ("undefined because ", "无定义，原因："),
    "made": ("How this was made", "生成方式"),
    "limits": ("Limits, use, citation", "局限、用途与引用"),
    "confusion": ("Judge (down) against people (across)", "裁判（纵）与人工（横）"),
    "judge_says": ("judge", "裁判"),
    "people_say": ("people", "人工"),
    "reliability": ("People's mean where the judge gives a score", "各裁判分数下的人工均分"),
    "means": ("Means: people's, the judge's, corrected", "均值：人工、裁判、校正后"),
    "bias_chart": ("Judge less people: above zero, the judge is lenient", "裁判减人工：大于零表示偏宽"),
    "funnel": ("From imported to kept", "从导入到保留"),
    "reasons": ("Reasons for sending back or rejecting", "退回或拒绝的原因"),
    "what_if": ("What a threshold on the judge's mean would keep", "按裁判均分阈值可保留的比例"),
    "next": ("Where to label next: the widest intervals first", "下一步标注：区间最宽者优先"),
    "more": ("more dialogues would halve the interval", "个对话可将区间减半"),
    "both_keep": ("both keep", "双方保留"),
    "saved_by_people": ("saved by people", "人工保留而裁判淘汰"),
    "missed_by_judge": ("missed by the judge", "裁判保留而人工淘汰"),
    "both_drop": ("both drop", "双方淘汰"),
    "threshold": ("threshold", "阈值"),
    "would_keep": ("would keep", "可保留"),
    "mcnemar": ("McNemar p", "McNemar p"),
    "corrected": ("corrected rate", "校正后的保留率"),
    "two_by_two": (
        "People against the judge at each threshold, and the rate corrected by the judge's faults (Rogan and Gladen)",
        "各阈值下人工与裁判的对照，以及按裁判误判校正的保留率（Rogan-Gladen）",
    ),
    "rates": (
        "Of decided dialogues, with Wilson intervals; undecided counted both ways.",
        "占已定对话的比例及 Wilson 区间；未定对话按两种极端分别计算。",
    ),
    "published_keep": ("The benchmark's paper reports about 73 % overall.", "评测集论文报告总体约 73%。"),
    "verdict_agreement": ("Do people agree on the verdict?", "标注员对结论的一致性"),
    "kept": ("kept", "保留"),
    "of_decided": ("of decided", "占已定"),
    "undecided": ("undecided", "未定"),
    "bounds": ("undecided both ways", "未定计入的上下限"),
    "prediction": (
        "Can rubric scores foretell people's preference? Accuracy alone, all twelve dimensions, people.",
        "评分能否预测人的偏好？仅用准确性、用全部十二维、人与人之间。",
    ),
    "published_prediction": (
        "The benchmark's paper reports 65.8 % for accuracy alone and 82.6 % for the rubric.",
        "评测集论文报告：仅用准确性 65.8%，用整套标准 82.6%。",
    ),
    "checks": ("Ties, agreement, order, circles and own scores", "平局、一致性、顺序、循环与自评"),
    "accuracy_all": (
        "All models together, and people's own blind answers as the ceiling",
        "全部模型合计，以及作为上限的人工盲答",
    ),
    "printed": ("Beside what the paper prints (full English set, %)", "与论文公布值对照（英文全集，%）"),
    "printed_value": ("paper", "论文"),
    "option_e": ("How often E is answered, and how often it is the key", "选 E 的比例与答案为 E 的比例"),
    "letters": ("Keys (down) against letters answered (across)", "正确答案（纵）与模型所选（横）"),
    "no_letter": ("none", "无"),
    "funnel.imported": ("imported", "已导入"),
    "funnel.media_complete": ("media complete", "媒体齐全"),
    "funnel.heard": ("with a verdict", "已有结论"),
    "funnel.two_raters": ("verdicts of two or more", "两人及以上给出结论"),
    "funnel.decided": ("decided", "已定"),
    "funnel.kept": ("kept", "保留"),
    "field.dimension": ("dimension", "维度"),
    "field.scenario": ("scenario", "场景"),
    "field.capability": ("capability", "能力"),
    "field.modality": ("modality", "模态"),
    "field.language": ("language", "语言"),
    "field.model": ("model", "模型"),
    "field.source": ("source", "来源"),
    "field.rater": ("rater", "标注员"),
    "field.judge": ("judge", "裁判"),
    "field.week": ("week", "周"),
    "field.level": ("level", "层级"),
    "field.subset": ("subset", "子集"),
    "field.domain": ("domain", "领域"),
    "field.category": ("category", "类别"),
    "field.profile": ("letter rule", "选项提取规则"),
    "field.share": ("share of the image", "占图像比例"),
    "modality.video": ("video", "视频"),
    "modality.image": ("image", "图像"),
    "language.zh": ("Chinese", "中文"),
    "language.en": ("English", "英文"),
    "level.turn": ("turn", "轮次"),
    "level.session": ("session", "会话"),
    "share.unknown": ("unknown", "未知"),
    "value.(none)": ("(none)", "（无）"),
    "value.(session)": ("(session)", "（会话）"),
    "replace": ("May the judge stand in for a person?", "裁判能否代替人工？"),
    "yes": ("Yes, by the alternative annotator test", "可以（替代标注员检验）"),
    "no": ("No, by the alternative annotator test", "不可以（替代标注员检验）"),
    "records": ("Judge records by status", "裁判记录状态"),
}

DEFINITIONS: Final[tuple[tuple[str, Two], ...]] = (
    ("ceiling_", ("People among themselves, on the units that the judge scored.", "裁判所评单元上人工之间的一致性。")),
    ("exact", ("Share of pairs that say the same; every unit counts alike.", "评分完全相同的配对比例，各单元等权。")),
    ("within_1", ("Share of pairs at most one level apart.", "相差不超过一级的配对比例。")),
    ("alpha", ("Krippendorff's alpha on the rubric's scale; gaps are missing.", "Krippendorff α，量表取自评分标准。")),
    ("ac", ("Gwet's agreement coefficient; defined at the ceiling too.", "Gwet 一致性系数，接近满分时仍有定义。")),
    ("kappa", ("Cohen's kappa of two raters, weighted.", "两名评分者的加权 κ。")),
    (
        "icc",
        ("Intraclass correlation (Shrout and Fleiss); units with gaps are dropped.", "组内相关系数，缺失单元不计。"),
    ),
    ("self_shift", ("Later less earlier score of the same content.", "同一内容后一次评分减前一次。")),
    (
        "self_",
        (
            "A rater with the own score of the same content in another item.",
            "同一标注员对另一项中相同内容的前后评分一致性。",
        ),
    ),
    ("cannot_judge", ("Share of labels that say it cannot be judged.", "标为“无法判断”的比例。")),
    ("mean_human", ("Mean of people's scores on labelled units.", "已标注单元的人工均分。")),
    ("mean_judge", ("Mean of all the judge's scores.", "裁判全部评分的均值。")),
    ("mean", ("Mean score.", "均分。")),
    ("bias", ("Mean of judge less people: above zero, the judge is lenient.", "裁判减人工的均值，大于零表示偏宽。")),
    ("difference_", ("First judge less second on the same units.", "同一单元上第一裁判减第二裁判。")),
    ("mae", ("Mean absolute difference.", "平均绝对差。")),
    ("bland_altman", ("Bias with limits of agreement.", "偏差及一致性界限。")),
    ("sensitivity", ("Of the units low to people, the share low to the judge.", "人工低分中裁判也给低分的比例。")),
    ("specificity", ("Of the other units, the share not low to the judge.", "其余单元中裁判未给低分的比例。")),
    (
        "confusion",
        ("Units by judge level (rows) and people's level (columns).", "裁判等级（行）与人工等级（列）的单元数。"),
    ),
    ("isotonic", ("Rising map from the judge's score to people's.", "裁判分到人工分的单调映射。")),
    ("reliability", ("People's mean where the judge gives a score.", "各裁判分数下的人工均分。")),
    ("calibration_error", ("Mean gap of the judge's and people's means.", "裁判与人工均分之差的加权平均。")),
    ("ppi_mean", ("People's mean, corrected with the judge's scores (PPI++).", "以裁判分校正的人工均分（PPI++）。")),
    ("alternative_annotator_test", ("Share of raters the judge may replace.", "裁判可替代的标注员比例。")),
    ("spearman", ("Correlation of ranks, ties averaged.", "秩相关，并列取平均。")),
    ("kendall", ("Concordant less discordant pairs, ties corrected.", "一致减不一致配对，已校正并列。")),
    ("pearson_length", ("Correlation of judge less people with log answer length.", "裁判偏差与答案对数长度的相关。")),
    ("wilson_keep_undecided_lost", ("Kept, with the undecided counted as lost.", "未定计为不保留。")),
    ("wilson_keep_undecided_kept", ("Kept, with the undecided counted as kept.", "未定计为保留。")),
    ("wilson", ("Of decided dialogues, with Wilson's interval.", "占已定对话的比例，Wilson 区间。")),
    ("funnel_media_complete", ("Dialogues of which no clip or image is missing.", "视频与图像均不缺失的对话数。")),
    ("funnel_two_raters", ("Dialogues with blind verdicts of two people or more.", "有两人及以上盲评结论的对话数。")),
    ("funnel", ("Dialogues at this stage.", "该阶段的对话数。")),
    ("reason", ("Of dialogues not kept, the share with this reason.", "未保留对话中含该原因的比例。")),
    ("verdict_", ("Agreement of raters on the verdict.", "标注员在结论上的一致性。")),
    ("judge_keep", ("Share whose mean judge score reaches the threshold.", "裁判均分达到阈值的比例。")),
    ("anchoring", ("How far people moved towards the judge after the reveal.", "揭示后人工评分向裁判靠拢的程度。")),
    ("anchored", ("Share of labels changed after the reveal.", "揭示后被修改的标注比例。")),
    ("moved_toward", ("Share of revised labels nearer to the judge than before.", "揭示后更接近裁判的标注比例。")),
    ("moved_away", ("Share of revised labels further from the judge.", "揭示后更远离裁判的标注比例。")),
    (
        "rogan_gladen",
        (
            "The judge's keeping, corrected by how often it keeps rightly and wrongly.",
            "按裁判的灵敏度与特异度校正的保留率。",
        ),
    ),
    ("spread", ("Standard deviation of the scores.", "评分的标准差。")),
    (
        "davidson",
        (
            "Strengths of responders, natural logarithm, ties allowed (Davidson).",
            "各模型的强度（自然对数，允许平局，Davidson）。",
        ),
    ),
    (
        "win_rate",
        (
            "Share of comparisons that the first won; ties half, dropped or lost by name.",
            "前者获胜的比例；平局按名称计半、剔除或计负。",
        ),
    ),
    ("tie_rate", ("Share of pairs with equal rank.", "同名次配对的比例。")),
    ("full_tie_rate", ("Share of rankings in which all are equal.", "全部并列的排名比例。")),
    ("kendall_w", ("Kendall's W of raters' rankings, mean over items.", "各标注员排名的 Kendall W，取各项均值。")),
    (
        "ceiling_half",
        ("How often another person orders a pair the same, ties half.", "他人给出同样次序的比例，平局计半。"),
    ),
    (
        "ceiling_drop",
        ("How often another person orders a pair the same, ties dropped.", "他人给出同样次序的比例，平局剔除。"),
    ),
    (
        "ceiling_loss",
        ("How often another person orders a pair the same, ties lost.", "他人给出同样次序的比例，平局计负。"),
    ),
    ("position_first", ("How often the response shown first wins.", "先显示者获胜的比例。")),
    (
        "position_flip",
        ("Share of hidden swapped repeats that turn the order round.", "隐藏的换序重复中次序翻转的比例。"),
    ),
    ("self_agreement", ("Share of pairs said the same in a hidden repeat.", "隐藏重复中前后一致的配对比例。")),
    ("transitivity", ("Share of triples without a circle.", "不成循环的三元组比例。")),
    (
        "score_consistency",
        ("Share of pairs that ranking and own scores order the same.", "排名与本人评分次序一致的配对比例。"),
    ),
    (
        "prediction_accuracy",
        ("Preference foretold from accuracy alone, cross-validated.", "仅用准确性预测偏好的正确率（交叉验证）。"),
    ),
    (
        "prediction_twelve",
        (
            "Preference foretold from all twelve dimensions, cross-validated.",
            "用全部十二维预测偏好的正确率（交叉验证）。",
        ),
    ),
    (
        "prediction_ceiling",
        (
            "How often another person foretells the preference, on the same pairs.",
            "同样的配对上，另一人预测该偏好的正确率。",
        ),
    ),
    ("prediction_gain", ("Twelve dimensions less accuracy alone.", "十二维减仅用准确性。")),
    (
        "reward_acc_plus",
        ("Share of ids of which the reward model has every pair right.", "奖励模型全部配对正确的编号比例。"),
    ),
    (
        "reward_acc",
        (
            "Share of pairs that the reward model orders right; a tie is wrong.",
            "奖励模型次序正确的配对比例，平局计错。",
        ),
    ),
    ("wilson_rta", ("Share of responses that refuse.", "拒绝回答的比例。")),
    (
        "wilson_asr",
        ("Share of responses that are harmful or show the adversarial content.", "有害或呈现对抗内容的回答比例。"),
    ),
    ("wilson_ratio", ("Share of responses that name the risk.", "指出风险的回答比例。")),
    ("wilson_original", ("Share of responses that show the original content.", "呈现原内容的回答比例。")),
    ("accuracy", ("Share of right outputs; no answer is wrong.", "正确输出的比例，无答案计错。")),
    ("avg", ("Accuracy weighted by items.", "按题数加权的正确率。")),
    ("avg_c", ("Plain mean over categories, over all: over domains.", "各类别的简单平均；总体为各领域的简单平均。")),
    ("e_answered", ("How often E is answered.", "选 E 的比例。")),
    ("e_truth", ("How often E is the key.", "答案为 E 的比例。")),
    (
        "accuracy:confusion",
        ("Outputs by key (rows) and letter answered (columns).", "答案（行）与模型所选（列）的输出数。"),
    ),
    ("answered", ("Share of outputs with a letter.", "能读出选项的输出比例。")),
    ("share_", ("Share of outputs in this state.", "处于该状态的输出比例。")),
    ("auc", ("How often a kept dialogue scores above one that is not.", "保留对话得分高于未保留者的概率。")),
)


def words(lang: str) -> dict[str, str]:
    """The page's words in one language."""
    at = 1 if lang == "zh_CN" else 0
    return {name: text[at] for name, text in WORDS.items()}


def definition(name: str, lang: str, subject: str = "") -> str:
    """What a figure is, by the beginning of its name (or of `subject:name`); the longest that fits."""
    full = f"{subject}:{name}"
    fits = [(prefix, text) for prefix, text in DEFINITIONS if name.startswith(prefix) or full.startswith(prefix)]
    return max(fits, key=lambda one: len(one[0]))[1][1 if lang == "zh_CN" else 0] if fits else ""

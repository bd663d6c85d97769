"""The words of the report's page, in both languages."""

from __future__ import annotations

from typing import Final

Two = tuple[str, str]
"""English, Chinese."""

WORDS: Final[dict[str, Two]] = {
    "title": ("Audit report", "审核报告"),
    "people": ("1  Do people agree with each other?", "1  标注员之间是否一致？"),
    "judge": ("2  Does the judge score as people do?", "2  自动评审与人工评分是否一致？"),
    "keep": ("3  How many candidates survive?", "3  有多少候选数据通过审核？"),
    "all": ("All together", "全部合计"),
    "by": ("By", "分组："),
    "figure": ("figure", "指标"),
    "of": ("of", "对象"),
    "value": ("value", "数值"),
    "interval": ("95 % interval", "95% 区间"),
    "n": ("n", "n"),
    "clusters": ("dialogues", "对话数"),
    "why": ("definition, or why there is none", "定义，或无法给出的原因"),
    "numbers": ("All numbers", "全部数值"),
    "undefined": ("undefined because", "无定义，原因："),
    "made": ("How this was made", "生成方式"),
    "limits": ("Limits, use, citation", "局限、用途与引用"),
    "confusion": ("Judge (down) against people (across)", "自动评审（纵）与人工（横）"),
    "judge_says": ("judge", "自动评审"),
    "people_say": ("people", "人工"),
    "reliability": ("People's mean where the judge gives a score", "各评审分数下的人工均分"),
    "means": ("Means: people's, the judge's, corrected", "均值：人工、自动评审、校正后"),
    "bias_chart": ("Judge less people: above zero, the judge is lenient", "自动评审减人工：大于零表示偏宽"),
    "funnel": ("From imported to kept", "从导入到保留"),
    "reasons": ("Reasons for sending back or rejecting", "退回或拒绝的原因"),
    "what_if": ("What a threshold on the judge's mean would keep", "按自动评审均分阈值可保留的比例"),
    "next": ("Where to label next: the widest intervals first", "下一步标注：区间最宽者优先"),
    "more": ("more dialogues would halve the interval", "个对话可将区间减半"),
    "saved": ("saved by people", "人工保留而评审淘汰"),
    "missed": ("missed by the judge", "评审保留而人工淘汰"),
    "replace": ("May the judge stand in for a person?", "自动评审能否代替人工？"),
    "yes": ("Yes, by the alternative annotator test", "可以（替代标注员检验）"),
    "no": ("No, by the alternative annotator test", "不可以（替代标注员检验）"),
    "records": ("Judge records by status", "自动评审记录状态"),
}

DEFINITIONS: Final[tuple[tuple[str, Two], ...]] = (
    ("ceiling_", ("People among themselves, on the units that the judge scored.", "评审所评单元上人工之间的一致性。")),
    ("exact", ("Share of pairs that say the same; every unit counts alike.", "评分完全相同的配对比例，各单元等权。")),
    ("within_1", ("Share of pairs at most one level apart.", "相差不超过一级的配对比例。")),
    ("alpha", ("Krippendorff's alpha on the rubric's scale; gaps are missing.", "Krippendorff α，量表取自评分标准。")),
    ("ac", ("Gwet's agreement coefficient; defined at the ceiling too.", "Gwet 一致性系数，接近满分时仍有定义。")),
    ("kappa", ("Cohen's kappa of two raters, weighted.", "两名评分者的加权 κ。")),
    (
        "icc",
        ("Intraclass correlation (Shrout and Fleiss); units with gaps are dropped.", "组内相关系数，缺失单元不计。"),
    ),
    ("cannot_judge", ("Share of labels that say it cannot be judged.", "标为“无法判断”的比例。")),
    ("mean_human", ("Mean of people's scores on labelled units.", "已标注单元的人工均分。")),
    ("mean_judge", ("Mean of all the judge's scores.", "自动评审全部评分的均值。")),
    ("mean", ("Mean score.", "均分。")),
    ("bias", ("Mean of judge less people: above zero, the judge is lenient.", "评审减人工的均值，大于零表示偏宽。")),
    ("difference_", ("First judge less second on the same units.", "同一单元上第一评审减第二评审。")),
    ("mae", ("Mean absolute difference.", "平均绝对差。")),
    ("bland_altman", ("Bias with limits of agreement.", "偏差及一致性界限。")),
    ("sensitivity", ("Of the units low to people, the share low to the judge.", "人工低分中评审也给低分的比例。")),
    ("specificity", ("Of the other units, the share not low to the judge.", "其余单元中评审未给低分的比例。")),
    (
        "confusion",
        ("Units by judge level (rows) and people's level (columns).", "评审等级（行）与人工等级（列）的单元数。"),
    ),
    ("isotonic", ("Rising map from the judge's score to people's.", "评审分到人工分的单调映射。")),
    ("reliability", ("People's mean where the judge gives a score.", "各评审分数下的人工均分。")),
    ("calibration_error", ("Mean gap of the judge's and people's means.", "评审与人工均分之差的加权平均。")),
    ("ppi_mean", ("People's mean, corrected with the judge's scores (PPI++).", "以评审分校正的人工均分（PPI++）。")),
    ("alternative_annotator_test", ("Share of raters the judge may replace.", "评审可替代的标注员比例。")),
    ("spearman", ("Correlation of ranks, ties averaged.", "秩相关，并列取平均。")),
    ("kendall", ("Concordant less discordant pairs, ties corrected.", "一致减不一致配对，已校正并列。")),
    ("pearson_length", ("Correlation of judge less people with log answer length.", "评审偏差与答案对数长度的相关。")),
    ("wilson_keep_undecided_lost", ("Kept, with the undecided counted as lost.", "未定计为不保留。")),
    ("wilson_keep_undecided_kept", ("Kept, with the undecided counted as kept.", "未定计为保留。")),
    ("wilson", ("Of decided dialogues, with Wilson's interval.", "占已定对话的比例，Wilson 区间。")),
    ("funnel", ("Dialogues at this stage.", "该阶段的对话数。")),
    ("reason", ("Of dialogues not kept, the share with this reason.", "未保留对话中含该原因的比例。")),
    ("verdict_", ("Agreement of raters on the verdict.", "标注员在结论上的一致性。")),
    ("judge_keep", ("Share whose mean judge score reaches the threshold.", "评审均分达到阈值的比例。")),
    ("anchoring", ("How far people moved towards the judge after the reveal.", "揭示后人工评分向评审靠拢的程度。")),
    ("anchored", ("Share of labels changed after the reveal.", "揭示后被修改的标注比例。")),
    ("auc", ("How often a kept dialogue scores above one that is not.", "保留对话得分高于未保留者的概率。")),
)


def words(lang: str) -> dict[str, str]:
    """The page's words in one language."""
    at = 1 if lang == "zh_CN" else 0
    return {name: text[at] for name, text in WORDS.items()}


def definition(name: str, lang: str) -> str:
    """What a figure is, by the beginning of its name; the longest that fits."""
    fits = [(prefix, text) for prefix, text in DEFINITIONS if name.startswith(prefix)]
    return max(fits, key=lambda one: len(one[0]))[1][1 if lang == "zh_CN" else 0] if fits else ""

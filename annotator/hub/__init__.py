"""The Hugging Face Hub: a dataset repository comes in once, pinned, checked and unpacked; then nothing asks it again.

`fetch_dataset` is all that others call. The room knows files and bytes, never what a dialogue is; huggingface_hub is
imported only where a request has to be made.
"""

from annotator.hub.fetch import fetch_dataset
from annotator.hub.values import Fetched, Progress, Step

__all__ = ["Fetched", "Progress", "Step", "fetch_dataset"]

"""Settings of the tests of tensors."""

import torch

torch.set_num_threads(1)  # the samples are small, and tests run side by side

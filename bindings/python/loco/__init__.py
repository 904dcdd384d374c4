# SPDX-License-Identifier: MIT
"""Learn when events happen from how many happened.

A network gives a logit z_t for every frame, p_t = sigmoid(z_t) is the probability of an event there, and the number of
events has a Poisson-binomial distribution. From a label that says how many events there were ("3", "2..5", ">=1",
"<=4", "?"), one exact pass gives the loss, its gradient, and the probability of an event in each frame given the label:

>>> import loco
>>> logits = [-4, 3, -4, -1, -4, 2, -4]
>>> round(loco.count_loss(logits, 2), 4)
0.4827
>>> loco.count_posterior(logits, 2).round(2).tolist()
[0.0, 0.98, 0.0, 0.06, 0.0, 0.94, 0.0]

Logits are anything that numpy.asarray makes a one-dimensional array of numbers. The loss for PyTorch is
loco.torch.count_loss, after `import loco.torch`. Wrong values raise ValueError, wrong types TypeError.
"""
from ._count import (Bounds, count_best, count_bias, count_bounds, count_excluded, count_grad, count_growth, count_loss,
                     count_moments, count_picture, count_pmf, count_posterior, count_quantile, count_sample, kernels,
                     version)
from ._library import set_threads

__version__ = version()
__all__ = ["Bounds", "count_best", "count_bias", "count_bounds", "count_excluded", "count_grad", "count_growth",
           "count_loss", "count_moments", "count_picture", "count_pmf", "count_posterior", "count_quantile",
           "count_sample", "kernels", "set_threads", "version"]

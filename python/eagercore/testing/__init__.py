"""What extenders test their own ops with: samples, numeric derivatives and the contract of every op.

    from eagercore.testing.contract import check_op
    check_op(my_op)

`numeric` holds the central differences, `samples` what each family draws its inputs from, `contract` the
properties that are tested of every op.
"""

from __future__ import annotations

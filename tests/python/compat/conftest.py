import pytest

from eagercore.base.context import settings


@pytest.fixture(autouse=True)
def _second_generation_after_each_test():
    """tf.enable_eager_execution marks a program of TensorFlow 1; the tests around it are none."""
    yield
    settings.first_generation = False

"""Graphs: programs that are traced once and run many times.

ir.py says what a graph is, build.py how ops add to it, function.py is `tf.function`, control.py holds conditionals
and loops, passes/ improve a graph, lower.py and execute.py run it, session.py and v1.py are TensorFlow 1's graph mode.
"""

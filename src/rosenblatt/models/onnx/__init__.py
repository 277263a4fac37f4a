"""Export of models to ONNX.

``export`` has the public function and the graphs of linear models, ``belief`` those of
Gaussian beliefs; ``graph`` builds nodes. Only ``models`` imports this folder.
"""

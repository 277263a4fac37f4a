"""Engines that simulate committees: without vectors, and with them."""

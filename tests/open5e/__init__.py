"""An invented Open5e: hundreds of records of our own over all endpoints, and a server with the real one's quirks.

``tests.recorded`` chooses between it and the recorded data.
"""

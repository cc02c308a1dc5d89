"""Serve connections: WebSocket frames, flow control and limits, under Daphne and uvicorn."""

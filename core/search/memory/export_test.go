package memory

// PieceBytes is what a piece takes beside what it was said to.
const PieceBytes = pieceBytes

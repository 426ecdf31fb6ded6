// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Keeps signed heads of one ledger: (size, root), strictly growing, written by its owner alone.
contract Anchor {
    address public immutable owner;
    uint64 public size;
    mapping(uint64 => bytes32) public rootOf;

    event Anchored(uint64 indexed size, bytes32 root, uint64 time);

    error NotOwner();
    error NotLarger(uint64 anchored);
    error EmptyRoot();

    constructor() {
        owner = msg.sender;
    }

    /// Write one head.
    function anchor(uint64 newSize, bytes32 newRoot) external {
        if (msg.sender != owner) revert NotOwner();
        if (newSize <= size) revert NotLarger(size);
        if (newRoot == bytes32(0)) revert EmptyRoot();
        size = newSize;
        rootOf[newSize] = newRoot;
        emit Anchored(newSize, newRoot, uint64(block.timestamp));
    }

    /// RFC 9162 section 2.1.3.2: whether a leaf's hash stands at `index` in the anchored tree of `atSize` leaves.
    function verifyInclusion(uint64 atSize, uint64 index, bytes32 leafHash, bytes32[] calldata proof)
        external
        view
        returns (bool)
    {
        bytes32 root = rootOf[atSize];
        if (root == bytes32(0) || index >= atSize) return false;
        uint64 node = index;
        uint64 last = atSize - 1;
        bytes32 hash = leafHash;
        for (uint256 i = 0; i < proof.length; i++) {
            if (last == 0) return false;
            if (node % 2 == 1 || node == last) {
                hash = sha256(abi.encodePacked(bytes1(0x01), proof[i], hash));
                while (node % 2 == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                hash = sha256(abi.encodePacked(bytes1(0x01), hash, proof[i]));
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && hash == root;
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// A wallet with one owner, who signs for it (EIP-1271). For tests only.
contract ContractWallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "not a signature");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

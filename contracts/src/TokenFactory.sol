// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {MintDesk} from "./MintDesk.sol";
import {PermissionedToken} from "./PermissionedToken.sol";

/// Deploys one token per offering of a desk, at an address that is known in advance. One factory serves all tenants.
contract TokenFactory {
    using Strings for string;

    PermissionedToken public immutable implementation = new PermissionedToken();

    /// Same value as in MintDesk; reading its constant would cost another call.
    bytes32 private constant OPERATOR = keccak256("OPERATOR");

    event TokenDeployed(address indexed desk, bytes32 indexed offering, address indexed token);

    error NotADesk(address desk);
    error NotTheOperator(address desk, address account);
    error OfferingHasAnotherToken(address token);

    /// Returns the existing token if the offering already has one. The address depends on the desk and not on the
    /// caller, so that a tenant can replace its signer between two attempts. Only the operator of the desk can deploy,
    /// so that no other account can take the address first with a different admin.
    function deploy(MintDesk desk, bytes32 offering, PermissionedToken.Terms calldata terms)
        external
        returns (PermissionedToken token)
    {
        require(address(desk).code.length > 0, NotADesk(address(desk)));
        require(desk.hasRole(OPERATOR, msg.sender), NotTheOperator(address(desk), msg.sender));
        token = PermissionedToken(tokenOf(desk, offering));
        if (address(token).code.length > 0) {
            require(_hasTerms(token, terms), OfferingHasAnotherToken(address(token)));
            return token;
        }
        Clones.cloneDeterministic(address(implementation), _salt(desk, offering));
        token.initialize(terms, address(desk));
        emit TokenDeployed(address(desk), offering, address(token));
    }

    /// Returns the address of an offering's token, whether deployed or not.
    function tokenOf(MintDesk desk, bytes32 offering) public view returns (address) {
        return Clones.predictDeterministicAddress(address(implementation), _salt(desk, offering));
    }

    /// Compares only what never changes. The cap, the admin and the lock-up may have changed since.
    function _hasTerms(PermissionedToken token, PermissionedToken.Terms calldata terms) private view returns (bool) {
        bool isNamedSo = token.name().equal(terms.name) && token.symbol().equal(terms.symbol);
        return isNamedSo && token.decimals() == terms.decimals;
    }

    function _salt(MintDesk desk, bytes32 offering) private pure returns (bytes32) {
        return keccak256(abi.encode(desk, offering));
    }
}

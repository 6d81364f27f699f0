// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {PermissionedToken} from "./PermissionedToken.sol";

/// Mints each order of a tenant once, however often it is sent. Each tenant has one desk, which is the minter and
/// registrar of its tokens. The operator is the tenant's signer; the admin can replace it.
contract MintDesk is AccessControlDefaultAdminRules {
    struct Order {
        bytes32 ref;
        address to;
        uint256 amount;
    }

    bytes32 public constant OPERATOR = keccak256("OPERATOR");
    /// A hundred orders cost a third of the transaction gas limit (EIP-7825).
    uint256 public constant BATCH_MAX = 100;
    /// Same value as in PermissionedToken.
    uint48 public constant ADMIN_DELAY = 2 days;

    /// The amount minted for an order; zero if it has not been minted.
    mapping(address token => mapping(bytes32 ref => uint256 amount)) public minted;

    event OrderMinted(address indexed token, bytes32 indexed ref, address indexed to, uint256 amount);

    error ZeroAddress();
    error NotAToken(address token);
    error ZeroAmount(bytes32 ref);
    error BatchOutOfRange(uint256 size);

    constructor(address admin, address operator) AccessControlDefaultAdminRules(ADMIN_DELAY, admin) {
        require(operator != address(0), ZeroAddress());
        _grantRole(OPERATOR, operator);
    }

    /// Mints all orders or reverts with the token's error. With a `try` per order the batch would succeed even if
    /// orders ran out of gas, and nodes estimate the lowest gas at which a transaction succeeds.
    function mint(PermissionedToken token, Order[] calldata orders) external onlyRole(OPERATOR) {
        require(orders.length > 0 && orders.length <= BATCH_MAX, BatchOutOfRange(orders.length));
        require(address(token).code.length > 0, NotAToken(address(token)));
        mapping(bytes32 ref => uint256) storage done = minted[address(token)];
        for (uint256 i = 0; i < orders.length; i++) {
            Order calldata order = orders[i];
            require(order.amount > 0, ZeroAmount(order.ref));
            if (done[order.ref] > 0) continue;
            done[order.ref] = order.amount;
            token.mint(order.to, order.amount);
            emit OrderMinted(address(token), order.ref, order.to, order.amount);
        }
    }

    function register(PermissionedToken token, address[] calldata accounts) external onlyRole(OPERATOR) {
        require(address(token).code.length > 0, NotAToken(address(token)));
        token.register(accounts);
    }

    /// Unregistered accounts keep their tokens but can neither send nor receive.
    function unregister(PermissionedToken token, address[] calldata accounts) external onlyRole(OPERATOR) {
        require(address(token).code.length > 0, NotAToken(address(token)));
        token.unregister(accounts);
    }
}

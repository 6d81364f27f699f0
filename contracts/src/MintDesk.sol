// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {PermissionedToken} from "./PermissionedToken.sol";

/// Mints each order of a tenant once, however often it is sent. One desk for each tenant, minter and registrar of its
/// tokens; its operator is the tenant's signer, which its admin can exchange.
contract MintDesk is AccessControl {
    struct Order {
        bytes32 ref;
        address to;
        uint256 amount;
    }

    bytes32 public constant OPERATOR = keccak256("OPERATOR");
    /// A hundred orders cost a third of what one transaction may (EIP-7825).
    uint256 public constant BATCH_MAX = 100;

    /// What was minted for an order; nothing was while it is zero.
    mapping(address token => mapping(bytes32 ref => uint256 amount)) public minted;

    event OrderMinted(address indexed token, bytes32 indexed ref, address indexed to, uint256 amount);

    error ZeroAddress();
    error NotAToken(address token);
    error ZeroAmount(bytes32 ref);
    error BatchOutOfRange(uint256 size);

    constructor(address admin, address operator) {
        require(admin != address(0) && operator != address(0), ZeroAddress());
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(OPERATOR, operator);
    }

    /// All or nothing, with the token's own reason. A `try` for each order would let the batch succeed with orders that
    /// ran out of gas, and the least gas that succeeds is what a node estimates.
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
}

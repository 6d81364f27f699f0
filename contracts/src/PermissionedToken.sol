// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRulesUpgradeable as AccessControlDefaultAdminRules
} from "@openzeppelin/contracts-upgradeable/access/extensions/AccessControlDefaultAdminRulesUpgradeable.sol";
import {ERC20Upgradeable as ERC20} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import {PausableUpgradeable as Pausable} from "@openzeppelin/contracts-upgradeable/utils/PausableUpgradeable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC7943Fungible} from "./IERC7943Fungible.sol";

/// The token of one offering. Only registered accounts can send and receive, frozen tokens cannot be transferred, an
/// account with FORCE_TRANSFER can move any tokens, and the supply never exceeds the cap. During lock-up no holder can
/// transfer. Deployed as a clone (EIP-1167); not upgradeable. A clone runs no constructor, hence the variants with
/// initializers.
contract PermissionedToken is ERC20, AccessControlDefaultAdminRules, Pausable, IERC7943Fungible {
    struct Terms {
        string name;
        string symbol;
        uint8 decimals;
        uint256 cap;
        address admin;
        /// Seconds since 1970; zero without lock-up.
        uint64 lockUpUntil;
    }

    bytes32 public constant MINTER = keccak256("MINTER");
    bytes32 public constant REGISTRAR = keccak256("REGISTRAR");
    bytes32 public constant FREEZER = keccak256("FREEZER");
    bytes32 public constant FORCE_TRANSFER = keccak256("FORCE_TRANSFER");
    bytes32 public constant BURNER = keccak256("BURNER");
    bytes32 public constant PAUSER = keccak256("PAUSER");
    bytes32 public constant CAP_SETTER = keccak256("CAP_SETTER");
    bytes32 public constant LOCK_UP_SETTER = keccak256("LOCK_UP_SETTER");

    /// Time before a new admin can accept the role, so that a theft of the admin's key is noticed in time.
    uint48 public constant ADMIN_DELAY = 2 days;

    uint8 public constant DECIMALS_MAX = 18;
    /// A hundred registrations cost 2.5 million gas, a small part of a block.
    uint256 public constant BATCH_MAX = 100;

    event Registered(address indexed account, bool registered);
    event CapSet(uint256 cap);
    event LockUpSet(uint64 until);

    error ZeroAddress();
    error DecimalsOutOfRange(uint8 decimals);
    error BatchOutOfRange(uint256 size);
    error CapExceeded(uint256 cap, uint256 supply, uint256 amount);
    error CapBelowSupply(uint256 cap, uint256 supply);
    error LockedUp(uint64 until);

    /// The largest supply. Mints beyond it revert.
    uint256 public cap;
    /// Time until which holders cannot transfer. Mints, burns and forced transfers do not wait.
    uint64 public lockUpUntil;
    uint8 private _decimals;
    mapping(address account => bool) private _registered;
    mapping(address account => uint256) private _frozen;

    /// The implementation itself cannot be initialized.
    constructor() {
        _disableInitializers();
    }

    /// The desk can mint and register. No account has any other role until the admin grants it.
    function initialize(Terms calldata terms, address desk) external initializer {
        require(desk != address(0), ZeroAddress());
        require(terms.decimals <= DECIMALS_MAX, DecimalsOutOfRange(terms.decimals));
        __ERC20_init(terms.name, terms.symbol);
        __AccessControlDefaultAdminRules_init(ADMIN_DELAY, terms.admin);
        _decimals = terms.decimals;
        _setCap(terms.cap);
        if (terms.lockUpUntil > 0) _setLockUp(terms.lockUpUntil);
        _grantRole(MINTER, desk);
        _grantRole(REGISTRAR, desk);
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER) {
        uint256 supply = totalSupply();
        require(amount <= cap - supply, CapExceeded(cap, supply, amount));
        _mint(to, amount);
    }

    function setCap(uint256 newCap) external onlyRole(CAP_SETTER) {
        _setCap(newCap);
    }

    /// A time in the past, such as zero, ends the lock-up.
    function setLockUp(uint64 until) external onlyRole(LOCK_UP_SETTER) {
        _setLockUp(until);
    }

    /// Skips accounts that are already registered, so that a batch can be sent again.
    function register(address[] calldata accounts) external onlyRole(REGISTRAR) {
        _setRegistered(accounts, true);
    }

    function unregister(address[] calldata accounts) external onlyRole(REGISTRAR) {
        _setRegistered(accounts, false);
    }

    /// Works while paused and for accounts that are not registered, because redemptions must not wait.
    function burn(address from, uint256 amount) external onlyRole(BURNER) {
        _release(from, amount);
        super._update(from, address(0), amount);
    }

    /// Works while paused and from accounts that are not registered, as a court order requires. The receiver must be
    /// registered.
    function forcedTransfer(address from, address to, uint256 amount) external onlyRole(FORCE_TRANSFER) returns (bool) {
        // A transfer to the sender would only unfreeze tokens, which needs the role FREEZER.
        require(from != to, ERC7943CannotTransfer(from, to, amount));
        require(canReceive(to), ERC7943CannotReceive(to));
        _release(from, amount);
        super._update(from, to, amount);
        emit ForcedTransfer(from, to, amount);
        return true;
    }

    /// The amount may exceed the balance; it then also freezes tokens received later.
    function setFrozenTokens(address account, uint256 amount) external onlyRole(FREEZER) returns (bool) {
        require(account != address(0), ZeroAddress());
        _setFrozen(account, amount);
        return true;
    }

    function pause() external onlyRole(PAUSER) {
        _pause();
    }

    function unpause() external onlyRole(PAUSER) {
        _unpause();
    }

    /// The standard requires false only if permissions forbid it; ERC-20 itself reverts an amount above the balance.
    function canTransfer(address from, address to, uint256 amount) external view returns (bool) {
        bool isFrozen = amount <= balanceOf(from) && amount > _unfrozen(from);
        return !paused() && !_isLockedUp() && canSend(from) && canReceive(to) && !isFrozen;
    }

    function canSend(address account) public view returns (bool) {
        return _registered[account];
    }

    function canReceive(address account) public view returns (bool) {
        return _registered[account];
    }

    function getFrozenTokens(address account) external view returns (uint256) {
        return _frozen[account];
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function supportsInterface(bytes4 id)
        public
        view
        override(AccessControlDefaultAdminRules, IERC165)
        returns (bool)
    {
        bool isOurs = id == type(IERC7943Fungible).interfaceId || id == type(IERC20).interfaceId;
        return isOurs || super.supportsInterface(id);
    }

    /// Checks mints and transfers by holders. Burns and forced transfers bypass it on purpose.
    function _update(address from, address to, uint256 amount) internal override whenNotPaused {
        if (from != address(0)) {
            require(!_isLockedUp(), LockedUp(lockUpUntil));
            require(canSend(from), ERC7943CannotSend(from));
            uint256 unfrozen = _unfrozen(from);
            require(
                amount <= unfrozen || amount > balanceOf(from),
                ERC7943InsufficientUnfrozenBalance(from, amount, unfrozen)
            );
        }
        require(canReceive(to), ERC7943CannotReceive(to));
        super._update(from, to, amount);
    }

    /// Unfreezes only as much as the following burn or transfer needs. An amount above the balance stays frozen.
    function _release(address from, uint256 amount) private {
        // The following update would treat the zero address as a mint.
        require(from != address(0), ERC20InvalidSender(from));
        uint256 unfrozen = _unfrozen(from);
        if (amount > unfrozen && amount <= balanceOf(from)) _setFrozen(from, _frozen[from] - (amount - unfrozen));
    }

    function _setFrozen(address account, uint256 amount) private {
        _frozen[account] = amount;
        emit Frozen(account, amount);
    }

    function _unfrozen(address account) private view returns (uint256) {
        uint256 balance = balanceOf(account);
        uint256 frozen = _frozen[account];
        return frozen < balance ? balance - frozen : 0;
    }

    /// Rejects a cap below the supply, so that `cap - supply` cannot underflow.
    function _setCap(uint256 newCap) private {
        uint256 supply = totalSupply();
        require(newCap >= supply, CapBelowSupply(newCap, supply));
        cap = newCap;
        emit CapSet(newCap);
    }

    function _setLockUp(uint64 until) private {
        lockUpUntil = until;
        emit LockUpSet(until);
    }

    /// Proposers of blocks can choose the time within seconds, which does not matter for a lock-up of months.
    function _isLockedUp() private view returns (bool) {
        return block.timestamp < lockUpUntil;
    }

    function _setRegistered(address[] calldata accounts, bool registered) private {
        require(accounts.length > 0 && accounts.length <= BATCH_MAX, BatchOutOfRange(accounts.length));
        for (uint256 i = 0; i < accounts.length; i++) {
            address account = accounts[i];
            require(account != address(0), ZeroAddress());
            if (_registered[account] == registered) continue;
            _registered[account] = registered;
            emit Registered(account, registered);
        }
    }
}

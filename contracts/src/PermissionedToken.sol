// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC7943Fungible} from "./IERC7943Fungible.sol";

/// The token of one offering. Only registered accounts send and receive, what is frozen stays, and whoever enforces the
/// law may move anything. Made as a clone of one implementation (EIP-1167), which nobody can exchange: no upgrades.
contract PermissionedToken is Initializable, ERC20, AccessControl, Pausable, IERC7943Fungible {
    struct Terms {
        string name;
        string symbol;
        uint8 decimals;
        address admin;
    }

    bytes32 public constant MINTER = keccak256("MINTER");
    bytes32 public constant REGISTRAR = keccak256("REGISTRAR");
    bytes32 public constant FREEZER = keccak256("FREEZER");
    bytes32 public constant FORCE_TRANSFER = keccak256("FORCE_TRANSFER");
    bytes32 public constant BURNER = keccak256("BURNER");
    bytes32 public constant PAUSER = keccak256("PAUSER");

    uint8 public constant DECIMALS_MAX = 18;
    /// A hundred registrations cost 2.5 million gas, which fits in a block many times over.
    uint256 public constant BATCH_MAX = 100;

    event Registered(address indexed account, bool registered);

    error ZeroAddress();
    error DecimalsOutOfRange(uint8 decimals);
    error BatchOutOfRange(uint256 size);

    // First, because it then shares a slot with the flag of Pausable, which every transfer reads.
    uint8 private _decimals;
    // Those of ERC20 are private and set by its constructor, which never runs for a clone.
    string private _name;
    string private _symbol;
    mapping(address account => bool) private _registered;
    mapping(address account => uint256) private _frozen;

    /// The implementation itself belongs to nobody.
    constructor() ERC20("", "") {
        _disableInitializers();
    }

    /// The desk may mint and register. All other roles are the admin's to give, so that nobody has one by default.
    function initialize(Terms calldata terms, address desk) external initializer {
        require(terms.admin != address(0) && desk != address(0), ZeroAddress());
        require(terms.decimals <= DECIMALS_MAX, DecimalsOutOfRange(terms.decimals));
        (_name, _symbol, _decimals) = (terms.name, terms.symbol, terms.decimals);
        _grantRole(DEFAULT_ADMIN_ROLE, terms.admin);
        _grantRole(MINTER, desk);
        _grantRole(REGISTRAR, desk);
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER) {
        _mint(to, amount);
    }

    /// Says nothing of accounts that are registered already, so that a batch can be sent again.
    function register(address[] calldata accounts) external onlyRole(REGISTRAR) {
        _setRegistered(accounts, true);
    }

    function unregister(address[] calldata accounts) external onlyRole(REGISTRAR) {
        _setRegistered(accounts, false);
    }

    /// Also while paused and of accounts that are not registered: what is redeemed or annulled does not wait.
    function burn(address from, uint256 amount) external onlyRole(BURNER) {
        _release(from, amount);
        super._update(from, address(0), amount);
    }

    /// Also while paused and from accounts that are not registered, as a court would have it; never to one that is not.
    function forcedTransfer(address from, address to, uint256 amount) external onlyRole(FORCE_TRANSFER) returns (bool) {
        // Moving nothing, it would only unfreeze, for which there is another role.
        require(from != to, ERC7943CannotTransfer(from, to, amount));
        require(canReceive(to), ERC7943CannotReceive(to));
        _release(from, amount);
        super._update(from, to, amount);
        emit ForcedTransfer(from, to, amount);
        return true;
    }

    /// May be more than the balance, which withholds what comes later too.
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

    /// The standard wants no for what permissions forbid only: more than the whole balance is left to ERC-20 to refuse.
    function canTransfer(address from, address to, uint256 amount) external view returns (bool) {
        bool isFrozen = amount <= balanceOf(from) && amount > _unfrozen(from);
        return !paused() && canSend(from) && canReceive(to) && !isFrozen;
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

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function supportsInterface(bytes4 id) public view override(AccessControl, IERC165) returns (bool) {
        bool isOurs = id == type(IERC7943Fungible).interfaceId || id == type(IERC20).interfaceId;
        return isOurs || super.supportsInterface(id);
    }

    /// Mints and transfers of holders pass here; burns and forced transfers go past it on purpose.
    function _update(address from, address to, uint256 amount) internal override whenNotPaused {
        if (from != address(0)) {
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

    /// Unfreezes no more than is taken, before it is taken; what was frozen beyond the balance stays withheld.
    function _release(address from, uint256 amount) private {
        // The update below would take the zero address for a mint.
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

import { type Alert, hours, minutes } from './signal.ts'

/** Alerts about tokens, the chain and its nodes. */
export const chainAlerts: readonly Alert[] = [
  {
    name: 'MintingStopped',
    severity: 'page',
    expr: () => 'max by (cell) (offerings_minting_stopped) > 0',
    for: minutes,
    summary: 'Minting of an offering is stopped.',
    meaning: 'Our ledger and the chain disagree, or an operator stopped minting. No order of the offering gets tokens.',
    steps: [
      'Console, Work, "Minting stopped": the reason and the offering.',
      'Compare with the chain: the page of the offering, "Reconcile now". A difference names both figures.',
      'Do not resume before the difference is explained: tokens could be minted twice. Resuming needs two persons.',
    ],
    panel: {
      title: 'Offerings whose minting is stopped',
      dashboard: 'chain',
      expr: () => 'max by (cell) (offerings_minting_stopped)',
      unit: 'short',
    },
  },
  {
    name: 'OrdersUnminted',
    severity: 'page',
    expr: (time) =>
      `max by (cell, chain) (orders_unminted_oldest_seconds{state=~"READYTOMINT|MINTING"}) > ${time.seconds(30 * minutes, 180)}`,
    for: 5 * minutes,
    summary: 'An order that could be minted has had no tokens for more than half an hour.',
    meaning:
      'Investors have paid, nothing is missing, and they have no tokens. Orders that wait for people do not count.',
    steps: [
      'Panel "Paid orders without tokens": `READYTOMINT` waits for the loop `plan-minting`, `MINTING` for the chain.',
      '`READYTOMINT`: log of the worker, "a mint could not be planned".',
      '`MINTING`: Console, Settlement: the oldest chain op, its attempts and its last error. Tickets about gas, fees, nonces or nodes name the cause.',
      'All chain ops are done: the indexer is behind. Panel "Seconds behind the chain".',
    ],
    panel: {
      title: 'Age of the oldest paid order without tokens',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain, state) (orders_unminted_oldest_seconds)',
      unit: 's',
    },
  },
  {
    name: 'IndexerMissing',
    severity: 'page',
    expr: () =>
      // Each worker counts these failures for every chain that it knows, from 0.
      'max by (cell, chain) (chain_op_failures_total) unless max by (cell, chain) (indexer_lag_seconds >= 0)',
    for: 5 * minutes,
    summary: 'No indexer reads a chain for a cell.',
    meaning:
      'Balances and the register of its tenants stand still, and orders stay MINTING although their tokens exist.',
    steps: [
      'Fewer indexers than `CELLS_PER_PROCESS_MAX` needs: start more.',
      'Log of the indexers: the database of the cell cannot be reached, or all of them wait for a lease.',
    ],
    panel: {
      title: 'Indexers of each chain',
      dashboard: 'chain',
      expr: () => 'count by (cell, chain) (indexer_lag_seconds >= 0)',
      unit: 'short',
    },
  },
  {
    name: 'MintContradictsOrder',
    severity: 'page',
    expr: (time) => `sum by (cell, chain) (increase(indexer_mint_alarms_total[${time.duration(10 * minutes)}])) > 0`,
    for: 0,
    summary: 'The chain has a mint that contradicts its order.',
    meaning:
      'Tokens exist for an order that was not paid, was cancelled or has another number of units. A key may be stolen.',
    steps: [
      'Log of the indexer, "a mint contradicts its order": the order and the problem.',
      'If the mint is not ours: stop minting and pause the token in the console, both with two persons.',
      'Check who used the signer: the transaction of the mint against the chain ops of the tenant.',
    ],
    panel: {
      title: 'Mints that contradict their order',
      dashboard: 'chain',
      expr: (time) => `sum by (cell, chain) (increase(indexer_mint_alarms_total[${time.duration(hours)}]))`,
      unit: 'short',
    },
  },
  {
    name: 'TokenUnreadable',
    severity: 'page',
    expr: () => 'max by (cell, chain) (tokens_unreadable) > 0',
    for: minutes,
    summary: 'No node returns the logs of a token.',
    meaning:
      'A block has more transfers of the token than a node returns, often sent by a stranger. Orders of its offering wait; ' +
      'all other tokens go on. The indexer tries again at least once a minute and resumes by itself.',
    steps: [
      'Log of the indexer, "the logs of a token cannot be read": the tenant and the offering.',
      'If it lasts, add a node with higher limits to `CHAINS` and restart the indexer. Its own node has the receipts.',
      'If it happens again and again, ask the tenant to pause the token: that rejects transfers of no units.',
    ],
    panel: {
      title: 'Tokens that cannot be read',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain) (tokens_unreadable)',
      unit: 'short',
    },
  },
  {
    name: 'FinalizedBlockReplaced',
    severity: 'page',
    expr: () => 'max by (cell, chain) (indexer_stopped) > 0',
    for: 0,
    summary: 'The chain replaced a finalized block; the indexer has stopped.',
    meaning: 'Balances could be wrong, so the indexer does not go on. It does not resume by itself.',
    steps: ['Ask a second node for the block.', 'Follow `chain-node.md`: a wrong node, or a chain without finality.'],
    panel: {
      title: 'Indexers that stopped',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain) (indexer_stopped)',
      unit: 'short',
    },
  },
  {
    name: 'SignerOutOfGas',
    severity: 'page',
    expr: () => 'max by (cell, chain) (signers_low_on_gas) > 0',
    for: 5 * minutes,
    summary: 'A signer pays for fewer than about fifty mints.',
    meaning: 'Minting of its tenant is about to stop, or has stopped. Paid orders wait.',
    steps: [
      'Console, Settlement: the address of the signer and its balance.',
      'Send gas to the address. Waiting chain ops go on within seconds.',
    ],
    panel: {
      title: 'Signers low on gas',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain) (signers_low_on_gas)',
      unit: 'short',
    },
  },
  {
    name: 'SignerGasForDays',
    severity: 'ticket',
    expr: () => 'min by (cell, chain) (signer_gas_days_min) < 7',
    for: 30 * minutes,
    summary: 'The gas of a signer lasts for less than seven days.',
    meaning: 'At the pace of the last seven days the signer runs out of gas within a week.',
    steps: ['Console, Settlement: the address of the signer and what it spends.', 'Send gas for a month.'],
    panel: {
      title: 'Days that gas lasts',
      dashboard: 'chain',
      expr: () => 'min by (cell, chain) (signer_gas_days_min)',
      unit: 'short',
    },
  },
  {
    name: 'NonceGap',
    severity: 'ticket',
    expr: (time) =>
      'max by (cell, chain) (signer_nonce_gap_max) > 0 and (' +
      `max by (cell, chain) (chain_op_oldest_seconds{state=~"RESERVED|SIGNED"}) > ${time.seconds(15 * minutes)} ` +
      'or sum by (cell, chain) (chain_ops{state=~"RESERVED|SIGNED|MINED"}) == 0)',
    for: 15 * minutes,
    summary: 'A nonce of a signer is in no block.',
    meaning: 'Transactions with later nonces wait for it. The worker fills gaps by itself; this one stays.',
    steps: [
      'Console, Settlement, chain ops: the oldest one in RESERVED or SIGNED.',
      'Its fee may be below the base fee: compare with `MAX_FEE_GWEI` and the ticket `FeeLimited`.',
      'Another program may use the key: no address of a signer may be used elsewhere.',
    ],
    panel: {
      title: 'Nonces in no block',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain) (signer_nonce_gap_max)',
      unit: 'short',
    },
  },
  {
    name: 'ChainOpStuck',
    severity: 'ticket',
    expr: (time) =>
      `max by (cell, chain, state) (chain_op_oldest_seconds{state=~"QUEUED|RESERVED|SIGNED|MINED"}) > ${time.seconds(30 * minutes, 180)}`,
    for: 5 * minutes,
    summary: 'A chain op has made no progress for half an hour.',
    meaning: 'A mint or a token action waits: for a block, for its confirmations, or for a fee.',
    steps: [
      'Console, Settlement: the op, its attempts and the last error.',
      'State QUEUED: the node does not respond, the signer has no gas, or another op must be final first.',
      'State SIGNED: the fee is too low. State MINED: the chain finalizes slowly, or the node is behind.',
    ],
    panel: {
      title: 'Age of the oldest chain op',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain, state) (chain_op_oldest_seconds)',
      unit: 's',
    },
  },
  {
    name: 'ChainOpFailed',
    severity: 'ticket',
    expr: () => 'max by (cell, chain, state) (chain_ops{state=~"ALARM|REVERTED"}) > 0',
    for: 5 * minutes,
    summary: 'A chain op failed, and no operator has handled it.',
    meaning: 'The chain rejected a token action, or its result is not what was signed.',
    steps: ['Console, Work, "Failed chain ops": the reason, and the actions that are possible.'],
    panel: {
      title: 'Chain ops that are not done',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain, state) (chain_ops)',
      unit: 'short',
    },
  },
  {
    name: 'FeeLimited',
    severity: 'ticket',
    expr: (time) => `sum by (cell, chain) (increase(chain_op_fee_limited_total[${time.duration(30 * minutes)}])) > 0`,
    for: 30 * minutes,
    summary: 'Transactions wait because the base fee is above MAX_FEE_GWEI.',
    meaning: 'Minting waits until the chain is cheaper. Nothing is lost.',
    steps: [
      'Compare the base fee with `MAX_FEE_GWEI`.',
      'Raise the setting if the fee is worth it, and restart the workers.',
    ],
    panel: {
      title: 'Waits for a lower base fee',
      dashboard: 'chain',
      expr: (time) => `sum by (cell, chain) (increase(chain_op_fee_limited_total[${time.duration(10 * minutes)}]))`,
      unit: 'short',
    },
  },
  {
    name: 'ChainNodeUnreachable',
    severity: 'ticket',
    expr: () => 'max by (cell, chain) (indexer_up) == 0',
    for: 2 * minutes,
    summary: 'The indexer cannot read the chain.',
    meaning: 'The node does not respond, or too few nodes agree. `IndexerStale` pages if it lasts.',
    steps: [
      'Call the node by hand, as in `chain-node.md`.',
      'Change `CHAINS` to another node and restart worker and indexer.',
    ],
    panel: {
      title: 'Indexers that can read their chain',
      dashboard: 'chain',
      expr: () => 'max by (cell, chain) (indexer_up)',
      unit: 'short',
    },
  },
  {
    name: 'ChainNodesDisagree',
    severity: 'ticket',
    expr: () => 'max by (chain) (chain_nodes{state=~"disagrees|wrong chain"}) > 0',
    for: 2 * minutes,
    summary: 'A node has other blocks than the rest.',
    meaning: 'With three nodes two decide and this one is ignored. With two nodes minting has stopped.',
    steps: ['The log of the worker names the node.', 'Repair it or remove it from `CHAINS`, as in `chain-node.md`.'],
    panel: {
      title: 'Nodes by state',
      dashboard: 'chain',
      expr: () => 'max by (chain, state) (chain_nodes)',
      unit: 'short',
    },
  },
  {
    name: 'ReconciliationDifference',
    severity: 'ticket',
    expr: (time) => `sum by (cell, chain) (increase(reconciliation_differences_total[${time.duration(hours)}])) > 0`,
    for: 0,
    summary: 'The ledger differs from the chain.',
    meaning: 'Minting of the token was stopped: `MintingStopped` pages.',
    steps: ['See `MintingStopped`.'],
    panel: {
      title: 'Differences between ledger and chain',
      dashboard: 'chain',
      expr: (time) => `sum by (cell, chain) (increase(reconciliation_differences_total[${time.duration(hours)}]))`,
      unit: 'short',
    },
  },
  {
    name: 'ReconciliationOld',
    severity: 'ticket',
    expr: (time) => `time() - min by (cell) (reconciliation_oldest_time_seconds) > ${time.seconds(6 * hours)}`,
    for: 10 * minutes,
    summary: 'A token has not been compared with its chain for six hours.',
    meaning: 'A difference would go unnoticed.',
    steps: ['Log of the worker, loop `reconcile-tokens`.', 'Panel "Indexers that can read their chain".'],
    panel: {
      title: 'Time since the oldest comparison with the chain',
      dashboard: 'chain',
      expr: () => 'time() - min by (cell) (reconciliation_oldest_time_seconds)',
      unit: 's',
    },
  },
]

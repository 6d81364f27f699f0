// Measurements: `npm run bench` lists them. Each ends with one line or table of figures; docs/performance.md explains them.
import { runNamed } from './named-programs.ts'

await runNamed('bench', {
  ab: { about: 'compares the CPU time of a request between two commits or settings', file: 'bench/ab.ts' },
  console: { about: 'lists, searches, work and exports in a tenant with ten million orders', file: 'bench/console.ts' },
  'cpu-budgets': { about: 'fails if a request costs more CPU time than its budget', file: 'bench/cpu-budgets.ts' },
  indexer: { about: 'how fast the indexer reads a chain from its beginning', file: 'bench/indexer.ts' },
  lists: { about: 'a page deep in a list of ten million, and orders of one offering', file: 'bench/lists.ts' },
  overload: { about: 'what callers notice at 70 and 150 % of the capacity', file: 'bench/overload.ts' },
  peers: { about: 'the same page and order served by others; installs them first', file: 'bench/peers.ts' },
  ratios: { about: 'the throughput of one API as a share of the bare database', file: 'bench/ratios.ts' },
  settlement: { about: 'how fast orders are minted', file: 'bench/settlement.ts' },
  webhooks: { about: 'how long a message takes while some receivers hang', file: 'bench/webhooks.ts' },
})

// Measurements: `npm run bench` lists them. Each ends with one line or table of figures; docs/performance.md explains them.
import { runNamed } from './named-programs.ts'

await runNamed('bench', 'bench', {
  ab: 'compares the CPU time of a request between two commits or settings',
  console: 'lists, searches, work and exports in a tenant with ten million orders',
  'cpu-budgets': 'fails if a request costs more CPU time than its budget',
  indexer: 'how fast the indexer reads a chain from its beginning',
  lists: 'a page deep in a list of ten million, and orders of one offering',
  overload: 'what callers notice at 70 and 150 % of the capacity',
  peers: 'the same page and order served by others; installs them first',
  ratios: 'the throughput of one API as a share of the bare database',
  settlement: 'how fast orders are minted',
  webhooks: 'how long a message takes while some receivers hang',
})

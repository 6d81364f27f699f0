// Faults, attacks and load larger than in any test: `npm run drill` lists them. Each ends with one line of figures.
import { runNamed } from './named-programs.ts'

await runNamed('drill', 'scripts/drills', {
  alerts: 'causes faults and waits for their alerts',
  attack: 'replays known attacks against a whole installation',
  chaos: 'kills workers and indexers while a chain misbehaves, and counts what is minted',
  crash: 'kills API processes while clients write with keys',
  'crash-approvals': 'kills the operator API while a second person confirms',
  'crash-distributions': 'kills workers during a redemption',
  failover: 'a cell fails over under load',
  fleet: 'spreads tenants of skewed size over simulated cells',
  fuzz: 'sends random requests to both APIs',
  move: 'tenants move between cells under load',
  noise: 'one tenant is as noisy as its limits allow',
  restore: 'restores a backup to random moments',
  silence: 'stops everything that runs by itself and checks that someone learns of it',
  upgrade: 'upgrades an installation under load',
})

// Faults, attacks and load larger than in any test: `npm run drill` lists them. Each ends with one line of figures.
import { runNamed } from './named-programs.ts'

await runNamed('drill', {
  alerts: { about: 'causes faults and waits for their alerts', file: 'scripts/drills/alerts.ts' },
  attack: { about: 'replays known attacks against a whole installation', file: 'scripts/drills/attack.ts' },
  chaos: {
    about: 'kills workers and indexers while a chain misbehaves, and counts what is minted',
    file: 'scripts/drills/chaos.ts',
  },
  crash: { about: 'kills API processes while clients write with keys', file: 'scripts/drills/crash.ts' },
  'crash-approvals': {
    about: 'kills the operator API while a second person confirms',
    file: 'scripts/drills/crash-approvals.ts',
  },
  'crash-distributions': { about: 'kills workers during a redemption', file: 'scripts/drills/crash-distributions.ts' },
  failover: { about: 'a cell fails over under load', file: 'scripts/drills/failover.ts' },
  fleet: { about: 'spreads tenants of skewed size over simulated cells', file: 'scripts/drills/fleet.ts' },
  fuzz: { about: 'sends random requests to both APIs', file: 'scripts/drills/fuzz.ts' },
  move: { about: 'tenants move between cells under load', file: 'scripts/drills/move.ts' },
  noise: { about: 'one tenant is as noisy as its limits allow', file: 'scripts/drills/noise.ts' },
  restore: { about: 'restores a backup to random moments', file: 'scripts/drills/restore.ts' },
  silence: {
    about: 'stops everything that runs by itself and checks that someone learns of it',
    file: 'scripts/drills/silence.ts',
  },
  upgrade: { about: 'upgrades an installation under load', file: 'scripts/drills/upgrade.ts' },
})

import { jobSilences, queueSilences } from './job-silences.ts'
import { innerLoopSilences, loopSilences, processSilences } from './loop-silences.ts'
import type { Silence } from './silence.ts'
import { workSilences } from './work-silences.ts'

/** Everything that runs by itself, stopped in every known way. */
export const silences: readonly Silence[] = [
  ...processSilences,
  ...loopSilences,
  ...innerLoopSilences,
  ...queueSilences,
  ...jobSilences,
  ...workSilences,
]

import { alertFailedAuthentication } from './credentials/alert-failed-authentication.job.ts'
import type { Job } from './jobs/job.ts'

/** All work that is done in the background. */
export const jobs: readonly Job[] = [alertFailedAuthentication]

import closeWithGrace from 'close-with-grace'
import type { Logger } from '../platform/base/log.ts'
import type { Lifetime } from './lifetime.ts'
import { flushTraces } from './telemetry.ts'

/** Ends a process without an API when it receives a signal. No load balancer has to notice first. */
export function stopGracefully({ drain, close }: Lifetime<unknown>, log: Logger): void {
  closeWithGrace({ delay: 30_000, logger: false }, async ({ signal, err }) => {
    if (err) log.error({ err }, 'stopping because of an uncaught error')
    log.info({ signal }, 'stopping')
    drain()
    await close()
    await flushTraces()
    log.info('stopped')
  })
}

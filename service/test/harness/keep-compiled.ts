import { flushCompileCache } from 'node:module'

// Node writes its compile cache when a process exits. Tests kill most processes, which would never write it.
setTimeout(flushCompileCache, 5_000).unref()

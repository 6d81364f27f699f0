// Every process that a test starts loads this file first.
import { flushCompileCache } from 'node:module'

// Node writes its compile cache when a process exits. Tests kill most processes, which would never write it.
setTimeout(flushCompileCache, 5_000).unref()

// An interrupted test run stops none of its processes: they end once another process is their parent.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 2_000).unref()

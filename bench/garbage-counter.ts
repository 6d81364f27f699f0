// Preloaded into the API process of a benchmark: counts the bytes that garbage collections free between two messages of
// the parent, and replies with the sum.
import { GCProfiler } from 'node:v8'

let profiler = new GCProfiler()
profiler.start()

process.on('message', () => {
  const collections = profiler.stop()?.statistics ?? []
  profiler = new GCProfiler()
  profiler.start()
  const freed = collections.map(
    ({ beforeGC, afterGC }) => beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
  )
  process.send?.(freed.reduce((sum, bytes) => sum + Math.max(0, bytes), 0))
})
// The service must end as usual if no parent listens.
process.channel?.unref()

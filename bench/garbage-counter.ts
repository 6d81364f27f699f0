// Preloaded into the API process of a benchmark: counts the bytes that garbage collections free, from one message of the
// parent to the next, and replies with the sum.
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
// The service must end as it does without a parent that listens.
process.channel?.unref()

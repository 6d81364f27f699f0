import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics } from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { counter } from './metric.ts'

/** Reads when the test asks. */
class Reader extends MetricReader {
  protected override async onShutdown() {}
  protected override async onForceFlush() {}
}

test('a counter without labels is 0 from the start, and one with labels has no series until a value has them', async () => {
  const reader = new Reader()
  const provider = new MeterProvider({ readers: [reader] })
  metrics.setGlobalMeterProvider(provider)
  try {
    counter('things_lost', { description: 'Things that were lost' })
    const found = counter('things_found', { description: 'Things that were found', labels: ['place'] })
    const series = async () => {
      const { resourceMetrics } = await reader.collect()
      const collected = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
      return collected.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => [descriptor.name, attributes, value]),
      )
    }
    assert.deepEqual(await series(), [['things_lost', {}, 0]])
    found.add(2, { place: 'attic' })
    assert.deepEqual(await series(), [
      ['things_lost', {}, 0],
      ['things_found', { place: 'attic' }, 2],
    ])
  } finally {
    metrics.disable()
    await provider.shutdown()
  }
})

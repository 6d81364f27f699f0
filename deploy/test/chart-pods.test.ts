import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../service/test/harness/process.ts'
import { until } from '../../service/test/harness/wait.ts'
import { byComponent, render } from './chart.ts'
import { pidOf, podman, statusOf, testImage, untilReady, withImage } from './containers.ts'
import { helmIsMissing } from './helm.ts'
import type { KubernetesObject } from './kubernetes-objects.ts'
import { processNames, Stack } from './stack.ts'

/**
 * The pods of the chart, run by podman, which knows neither Jobs nor Secrets from a file, probes with a program inside the
 * image, and has no network between pods here. So the Job becomes its pod, the Secret a ConfigMap, the probes are made by
 * the test, and ports are changed; everything else is as rendered.
 */
describe('the pods of the chart', { skip: helmIsMissing }, () => {
  let stack: Stack
  let objects: KubernetesObject[]
  const started: { file: string; volume: string }[] = []
  before(async () => {
    if (!testImage) return
    stack = await Stack.start()
    objects = await render(
      'minimal',
      'settings={"EVENT_LOOP_DELAY_MAX_MS":60000,"DRAIN_SECONDS":1}',
      'databasePoolMax=4',
    )
  })
  after(async () => {
    if (!testImage) return
    for (const { file, volume } of started) {
      await podman('kube', 'down', file).catch(() => '')
      await podman('volume', 'rm', '--force', volume).catch(() => '')
    }
    await stack.end()
  })

  async function play(component: string, object: KubernetesObject): Promise<string> {
    const adapted = structuredClone(object)
    const name = `${component}-${process.pid}`
    adapted.metadata.name = name
    const pod = adapted.kind === 'Pod' ? adapted.spec : adapted.spec.template.spec
    const [container] = pod.containers
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) delete container[probe]
    container.image = testImage
    container.imagePullPolicy = 'Never'
    delete container.ports
    pod.hostNetwork = true
    const { secretName, defaultMode, items } = pod.volumes[0].secret
    assert.equal(secretName, 'investor-token')
    // podman keeps it as a volume of this name.
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `secrets-${name}` }, data: stack.secrets }
    pod.volumes = [{ name: 'secrets', configMap: { name: map.metadata.name, defaultMode, items } }]
    container.env.push(...Object.entries(await portSettings()).map(([port, value]) => ({ name: port, value })))
    if (adapted.kind === 'Deployment') adapted.spec.replicas = 1
    const file = join(stack.folder, `${name}.yaml`)
    writeFileSync(file, [map, adapted].map((one) => JSON.stringify(one)).join('\n---\n'))
    started.push({ file, volume: map.metadata.name })
    const output = await podman('play', 'kube', '--network=host', file)
    const [, id] = /^Container:\n(\w+)$/m.exec(output) ?? []
    assert.ok(id, output)
    return id
  }

  async function portSettings(): Promise<Record<string, string>> {
    const { PORT = '', OPERATOR_PORT = '', WORKER_PORT = '', INDEXER_PORT = '' } = await stack.settings()
    return { PORT, OPERATOR_PORT, WORKER_PORT, INDEXER_PORT, METRICS_PORT: String(await freePort()) }
  }

  test(
    'the migration succeeds, then every process becomes ready with the rights that the chart gives it',
    withImage,
    async () => {
      const job = byComponent(objects, 'Job').get('migration')
      assert.ok(job)
      const { metadata, spec } = job.spec.template as KubernetesObject
      const container = await play('migration', {
        ...job,
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { ...metadata, name: '' },
        spec,
      })
      const state = () => podman('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', container)
      await until('the migration has ended', async () => (await state()).startsWith('exited'), 180_000)
      assert.equal(await state(), 'exited 0', await podman('logs', container))
      await stack.createLogins()

      for (const [name, deployment] of byComponent(objects, 'Deployment')) {
        const process = await play(name, deployment)
        const component = processNames.find((one) => one === name)
        assert.ok(component)
        await untilReady(`${stack.urlOf(component)}/readyz`, process)
        const pid = await pidOf(process)
        assert.match(statusOf(pid, 'Uid'), /^65532\b/)
        assert.equal(BigInt(`0x${statusOf(pid, 'CapBnd')}`), 0n)
        assert.equal(statusOf(pid, 'NoNewPrivs'), '1')
        assert.match(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'), / \/ \/ ro[, ]/)
      }
    },
  )
})

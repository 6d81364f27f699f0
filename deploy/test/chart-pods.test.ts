import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { freePort } from '../../service/test/harness/installation/process.ts'
import { until } from '../../service/test/harness/wait.ts'
import { byComponent, chartFolder, render, valuesFile } from './chart.ts'
import { imageIsMissing, pidOf, podman, podmanResult, statusOf, testImage, untilReady } from './containers.ts'
import { helmIsMissing, helmProgram } from './helm.ts'
import { useProduct } from './installed-product.ts'
import type { KubernetesObject } from './kubernetes-objects.ts'
import { type CommandResult, checkMaintain } from './maintain-commands.ts'
import { processNames, Stack } from './stack.ts'

const page = readFileSync(new URL('../../docs/operations/install.md', import.meta.url), 'utf8')
/** The function with which the page runs maintain on Kubernetes. */
const [, maintainFunction = ''] = /```sh kubernetes\n(.*?)```/s.exec(page) ?? []
const settings = 'settings={"EVENT_LOOP_DELAY_MAX_MS":60000,"DRAIN_SECONDS":1}'

/**
 * Runs the pods of the chart with podman, which knows neither Jobs nor Secrets from a file, probes with a program
 * inside the image, and has no network between pods here. So a Job becomes its pod, the Secret a ConfigMap, and a claim
 * a folder; the test probes, and changes ports and addresses. All else is as rendered, even volumes.
 */
describe('the pods of the chart', { skip: helmIsMissing || imageIsMissing }, () => {
  let stack: Stack
  let objects: KubernetesObject[]
  /** Containers by the name of their component. */
  const containers = new Map<string, string>()
  const files = join(tmpdir(), `investor-token-files-${process.pid}`)
  const started: { file: string; volume: string }[] = []
  before(async () => {
    stack = await Stack.start()
    objects = await render('minimal', settings, 'databasePoolMax=4')
    mkdirSync(files)
    chmodSync(files, 0o777)
  })
  after(async () => {
    for (const { file, volume } of started) {
      await podman('kube', 'down', file).catch(() => '')
      await podman('volume', 'rm', '--force', volume).catch(() => '')
    }
    await stack.end()
    rmSync(files, { recursive: true })
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
    // podman keeps it as a volume with this name.
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `secrets-${name}` }, data: stack.secrets }
    pod.volumes[0] = { name: 'secrets', configMap: { name: map.metadata.name, defaultMode, items } }
    for (const volume of pod.volumes) {
      // podman does not know a limit of its size.
      if (volume.emptyDir) volume.emptyDir = {}
      if (volume.persistentVolumeClaim) {
        delete volume.persistentVolumeClaim
        volume.hostPath = { path: files, type: 'Directory' }
      }
    }
    const here = Object.entries(await addresses()).map(([setting, value]) => ({ name: setting, value }))
    const replaced = new Set(here.map((setting) => setting.name))
    container.env = [...container.env.filter((setting: { name: string }) => !replaced.has(setting.name)), ...here]
    if (adapted.kind === 'Deployment') adapted.spec.replicas = 1
    const file = join(stack.folder, `${name}.yaml`)
    writeFileSync(file, [map, adapted].map((one) => JSON.stringify(one)).join('\n---\n'))
    started.push({ file, volume: map.metadata.name })
    const output = await podman('play', 'kube', '--network=host', file)
    const [, id] = /^Container:\n(\w+)$/m.exec(output) ?? []
    assert.ok(id, output)
    return id
  }

  async function addresses(): Promise<Record<string, string>> {
    const { PORT = '', OPERATOR_PORT = '', WORKER_PORT = '', INDEXER_PORT = '' } = await stack.settings()
    const ports = { PORT, OPERATOR_PORT, WORKER_PORT, INDEXER_PORT, METRICS_PORT: String(await freePort()) }
    return { ...ports, PUBLIC_BASE_URL: stack.urlOf('api'), OPERATOR_BASE_URL: stack.urlOf('operator-api') }
  }

  const state = (container: string) => podman('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', container)

  /** Runs the pod of a Job to its end. */
  async function runJob(component: string, job: KubernetesObject): Promise<CommandResult> {
    const { metadata, spec } = job.spec.template as KubernetesObject
    const pod = { ...job, kind: 'Pod', apiVersion: 'v1', metadata: { ...metadata, name: '' }, spec }
    const container = await play(component, pod)
    await until('the Job has ended', async () => (await state(container)).startsWith('exited'), 180_000)
    const code = Number((await state(container)).split(' ')[1])
    return { code, output: (await podmanResult('logs', container)).output }
  }

  /** Returns the Job that the page's function creates. The function gets Helm and a kubectl that keeps its input. */
  async function jobOf(args: readonly string[]): Promise<KubernetesObject> {
    const folder = mkdtempSync(join(tmpdir(), 'investor-token-kubectl-'))
    try {
      const values = `${readFileSync(valuesFile('minimal'), 'utf8')}\nmaintain: { filesClaim: files }\n`
      writeFileSync(join(folder, 'values.yaml'), values)
      symlinkSync(helmProgram, join(folder, 'helm'))
      symlinkSync(join(chartFolder, '..'), join(folder, 'deploy'))
      const kubectl = '#!/bin/sh\ncase "$*" in *" create "*) cat >job.yaml; echo job.batch/investor-token;; esac\n'
      writeFileSync(join(folder, 'kubectl'), kubectl, { mode: 0o755 })
      const script = `${maintainFunction}\nmaintain "$@"`
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
      execFileSync('bash', ['-euo', 'pipefail', '-c', script, 'bash', ...args], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return parse(readFileSync(join(folder, 'job.yaml'), 'utf8')) as KubernetesObject
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('the migration succeeds, then every process becomes ready with the rights that the chart gives it', async () => {
    const job = byComponent(objects, 'Job').get('migration')
    assert.ok(job)
    const { code, output } = await runJob('migration', job)
    assert.equal(code, 0, output)
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
      containers.set(component, process)
    }
  })
  test('maintain commands work as Jobs that the page creates', async () => {
    let created = 0
    const maintain = async (...args: string[]) => runJob(`maintain-${created++}`, await jobOf(args))
    const id = await checkMaintain(maintain, files)
    const refused = await maintain('export-tenant', '--tenant', id, '--folder', '/export')
    assert.equal(refused.code, 1)
    assert.match(refused.output, /^The folder that contains \/export is not writable \(EROFS\): [^\n]*\n?$/)
  })

  test('uploads, downloads and every operation of both APIs work in them', async () => {
    const background = ['worker', 'indexer'].map((name) => containers.get(name) ?? '')
    await useProduct(stack, (name) => stack.secrets[name] ?? '', background)
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { indexerConnections, workerConnections } from '../../service/src/main/connections.ts'
import { statementUpload } from '../../service/src/money/statements/statement-upload.ts'
import { secretSettings } from '../../service/src/platform/base/secret-files.ts'
import { declaredCommands } from '../../service/test/harness/installation/maintain-commands.ts'
import { byComponent, chartFolder, render, settingsIn, valuesFile, valuesFiles } from './chart.ts'
import { helm, helmIsMissing, helmRefusal } from './helm.ts'
import { assertValidObject, type KubernetesObject } from './kubernetes-objects.ts'
import { processNames } from './stack.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Returns the error of Helm for the minimal values with one change. */
const refusal = (change: string) => helmRefusal('template', chartFolder, '-f', valuesFile('minimal'), '--set', change)

/** Values that the chart refuses, with the sentence that explains it. */
const refusals: Record<string, string> = {
  'image.repository=': "at '/image/repository': '' does not match pattern",
  'image.repository=registry.example.com/a@sha256:1': "at '/image/repository'",
  'image.tag=latest': 'image.tag must not be latest: pods of one release could run different images. Leave it empty',
  'image.digest=sha256:12': "at '/image/digest': 'sha256:12' does not match pattern",
  'environment=development': "at '/environment': value must be one of 'staging', 'live'",
  'releasedVersions={latest}': "at '/releasedVersions/0': 'latest' does not match pattern",
  'publicBaseUrl=http://api.example.com':
    "at '/publicBaseUrl': 'http://api.example.com' does not match pattern '^https://",
  'operatorBaseUrl=': "at '/operatorBaseUrl': '' does not match pattern '^https://",
  'walletProofUrl=invest.example.com': "at '/walletProofUrl'",
  'mailFrom=': "at '/mailFrom': minLength: got 0, want 1",
  'existingSecret=': "at '/existingSecret': minLength: got 0, want 1",
  'secretKeys={DATABASE_URL}': "at '/secretKeys/0': value must be one of 'CHAINS', 'CELLS'",
  'databasePoolMax=1': "at '/databasePoolMax': minimum: got 1, want 2",
  'settings.log_level=debug': "invalid propertyName 'log_level'",
  'settings.ENVIRONMENT=live': 'settings.ENVIRONMENT has its own value: set environment.',
  'settings.METRICS_HOST=127.0.0.1': 'settings.METRICS_HOST is set by the chart: remove it.',
  'processes.api.replicas=0': "at '/processes/api/replicas': minimum: got 0, want 1",
  'processes.operator-api.replicas=2': "at '/processes': additional properties 'operator-api' not allowed",
  'replicas=3': "additional properties 'replicas' not allowed",
  'autoscaling.maxReplicas=1': 'autoscaling.maxReplicas must be at least autoscaling.minReplicas.',
  'migration.activeDeadlineSeconds=1': "at '/migration/activeDeadlineSeconds': minimum: got 1, want 60",
  'uploads.sizeLimit=2000000000': "at '/uploads/sizeLimit'",
  'maintain.args=list-cells': "at '/maintain/args': got string, want array",
  'maintain.filesClaim=1': "at '/maintain/filesClaim': got number, want string",
  'networkPolicy.ports.web={0}': "at '/networkPolicy/ports/web/0': minimum: got 0, want 1",
  'monitoring.podMonitor.interval=often': "at '/monitoring/podMonitor/interval': 'often' does not match pattern",
}

describe('the chart', { skip: helmIsMissing }, () => {
  test('has the version of the project, and installs the image of the same version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    const chart = parse(read('deploy/chart/Chart.yaml')) as Record<string, string>
    assert.deepEqual([chart['version'], chart['appVersion']], [version, version])
  })

  test('has example values for six installations', () => {
    assert.deepEqual(
      [...valuesFiles.keys()],
      ['all-options', 'evaluation', 'live', 'minimal', 'several-cells', 'without-monitoring'],
    )
  })

  for (const [name, file] of valuesFiles)
    test(`${name}: passes helm lint --strict, and Kubernetes accepts every object`, async () => {
      await helm('lint', '--strict', chartFolder, '-f', file)
      const objects = await render(name)
      assert.equal(byComponent(objects, 'Deployment').size, 4)
      for (const object of objects) await assertValidObject(object)
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      assert.equal(new Set(names).size, names.length, 'no two objects have the same name')
    })

  test('the validators find a wrong type, an unknown member and a missing one', async () => {
    const [object] = (await render('minimal')).filter(({ kind }) => kind === 'Deployment')
    assert.ok(object)
    const changed = (change: (spec: Record<string, unknown>) => void) => {
      const copy = structuredClone(object)
      change(copy.spec)
      return assertValidObject(copy)
    }
    await assert.rejects(
      changed((spec) => (spec['paused'] = 'yes')),
      /paused/,
    )
    await assert.rejects(
      changed((spec) => (spec['replica'] = 1)),
      /Deployment\.spec\.replica/,
    )
    await assert.rejects(
      changed((spec) => delete spec['selector']),
      /selector/,
    )
  })

  test('every pod is hardened and can be stopped without losing a request', async () => {
    for (const name of valuesFiles.keys())
      for (const { kind, spec } of (await render(name)).filter((object) => object.spec?.template)) {
        const pod = spec.template.spec
        assert.equal(pod.automountServiceAccountToken, false)
        assert.deepEqual([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 65532])
        assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' })
        assert.deepEqual(pod.containers[0].securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.ok(pod.containers[0].resources.requests.memory, kind)
        assert.ok(pod.containers[0].resources.limits.memory, kind)
        // 5 s of draining, 30 s for requests.
        if (kind === 'Deployment') assert.ok(pod.terminationGracePeriodSeconds > 35)
      }
  })

  test('the migration refers to nothing that the chart creates, and no policy or budget selects its pod', async () => {
    for (const name of valuesFiles.keys()) {
      const objects = await render(name)
      const job = byComponent(objects, 'Job').get('migration')
      assert.ok(job)
      assert.equal(job.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
      const { spec: pod, metadata } = job.spec.template as {
        spec: Record<string, unknown>
        metadata: KubernetesObject['metadata']
      }
      assert.equal(pod['serviceAccountName'], undefined, 'the default account')
      const created = objects.filter((object) => object !== job).map((object) => object.metadata.name)
      const text = JSON.stringify(pod)
      assert.deepEqual(
        created.filter((one) => text.includes(`"${one}"`)),
        [],
      )
      for (const { kind, spec } of objects.filter((object) => object !== job)) {
        const labels = spec?.podSelector?.matchLabels ?? spec?.selector?.matchLabels ?? spec?.selector
        if (!labels || kind === 'PodMonitor') continue
        const isSelected = Object.entries(labels).every(([label, value]) => metadata.labels[label] === value)
        assert.equal(isSelected, false, `${kind} selects the pod of the migration`)
      }
    }
  })

  test('each pod mounts only the secrets of its process', async () => {
    const objects = await render('several-cells')
    const mounted = (object: KubernetesObject | undefined) =>
      ((object?.spec.template.spec.volumes[0].secret.items ?? []) as { key: string }[]).map(({ key }) => key).toSorted()
    const pods = byComponent(objects, 'Deployment')
    const all = [
      'CELLS',
      'CHAINS',
      'DATABASE_URL',
      'DATA_MASTER_KEYS',
      'REDIS_URL',
      'SECRET_PEPPERS',
      'SMTP_URL',
      'TOKEN_SIGNING_KEYS',
    ]
    const queue = ['WORKER_CELLS', 'WORKER_DATABASE_URL']
    for (const name of ['api', 'operator-api']) assert.deepEqual(mounted(pods.get(name)), all)
    for (const name of ['worker', 'indexer']) assert.deepEqual(mounted(pods.get(name)), [...all, ...queue].toSorted())
    assert.deepEqual(mounted(byComponent(objects, 'Job').get('migration')), ['OWNER_CELLS', 'OWNER_DATABASE_URL'])
    for (const name of processNames)
      for (const [setting, value] of settingsIn(pods.get(name)))
        if (setting.endsWith('_FILE')) assert.equal(value, `/run/secrets/investor-token/${setting.slice(0, -5)}`)
  })

  test('the operator API and maintain can write uploads to the disk of the node, and no other pod needs to', async () => {
    const { bytesMax } = statementUpload
    for (const name of valuesFiles.keys()) {
      const objects = await render(name, 'maintain.args=["import-statement"]')
      const pods = new Map([...byComponent(objects, 'Deployment'), ...byComponent(objects, 'Job')])
      for (const [component, object] of pods) {
        const { volumes, containers } = object.spec.template.spec
        const mounts: { name: string; mountPath: string }[] = containers[0].volumeMounts
        const mounted = mounts.find(({ mountPath }) => mountPath === '/tmp')
        assert.equal(mounted !== undefined, ['operator-api', 'maintain'].includes(component), component)
        if (!mounted) continue
        const { emptyDir } = volumes.find((volume: { name: string }) => volume.name === mounted.name)
        assert.equal(emptyDir.medium, undefined, 'memory would count as that of the pod')
        const [, size, unit] = /^(\d+)(Mi|Gi)$/.exec(emptyDir.sizeLimit) ?? []
        const limit = Number(size) * (unit === 'Gi' ? 1024 : 1) * 1024 * 1024
        assert.ok(limit >= 8 * bytesMax, `${emptyDir.sizeLimit} is less than eight statements need`)
      }
    }
  })

  test('a Job of maintain mounts the login of the owner only for commands that declare it', async () => {
    const withOwner: string[] = []
    const declared = await declaredCommands()
    assert.ok(declared.size > 0)
    for (const name of declared.keys()) {
      const args = JSON.stringify(['--json', name, '--reason', 'migrate'])
      const job = byComponent(await render('several-cells', `maintain.args=${args}`), 'Job').get('maintain')
      assert.ok(job)
      await assertValidObject(job)
      const keys = job.spec.template.spec.volumes[0].secret.items.map(({ key }: { key: string }) => key)
      const owner = keys.filter((key: string) => key.startsWith('OWNER_'))
      assert.ok(owner.length === 0 || owner.length === 2, owner.join())
      if (owner.length > 0) withOwner.push(name)
    }
    const needed = [...declared].filter(([, login]) => ['owner', 'superuser'].includes(login)).map(([name]) => name)
    assert.deepEqual(withOwner.toSorted(), needed.toSorted())
  })

  test('without a command there is no Job of maintain, so an upgrade runs none', async () => {
    assert.equal(byComponent(await render('live'), 'Job').get('maintain'), undefined)
  })

  test('sets only settings that exist, and takes no secret outside the Secret', async () => {
    const documented = new Set(
      [...read('docs/configuration.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
    )
    for (const [name, object] of byComponent(await render('all-options'), 'Deployment'))
      for (const setting of settingsIn(object).keys()) assert.ok(documented.has(setting), `${name}: ${setting}`)
    for (const setting of secretSettings)
      for (const name of [setting, `${setting}_FILE`])
        assert.match(
          await refusal(`settings.${name}=x`),
          new RegExp(`settings.${name} is a secret: put it into the Secret`),
        )
  })

  test('with default values all processes stay within the connections of PostgreSQL, even during an upgrade', async () => {
    const objects = await render('minimal')
    const pods = byComponent(objects, 'Deployment')
    const most = (name: string) => {
      const { replicas, strategy } = pods.get(name)?.spec ?? {}
      const scaled = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.spec.maxReplicas
      return (replicas ?? scaled) + strategy.rollingUpdate.maxSurge
    }
    const databasePoolMax = Number(settingsIn(pods.get('api')).get('DATABASE_POOL_MAX'))
    const worker = workerConnections({ databasePoolMax }, { isCell: true })
    const indexer = indexerConnections({ databasePoolMax, chains: new Map([['ethereum', { urls: [], chainId: 1 }]]) })
    const sum = (parts: object) => Object.values(parts).reduce((total, part) => total + part, 0)
    const total =
      (most('api') + most('operator-api')) * databasePoolMax +
      most('worker') * sum(worker) +
      most('indexer') * sum(indexer)
    assert.ok(total > 0 && total <= 97, `${total} connections`)
  })

  test('refuses wrong values and names them', async () => {
    for (const [change, sentence] of Object.entries(refusals)) {
      const said = await refusal(change)
      assert.ok(said.includes(sentence), `${change}: ${said}`)
    }
    const without = await helmRefusal('template', chartFolder)
    for (const name of ['image/repository', 'environment', 'publicBaseUrl', 'mailFrom', 'existingSecret'])
      assert.ok(without.includes(`at '/${name}'`), without)
  })

  test('its notes warn of what serves nothing', async () => {
    const notes = async (name: string, ...changes: string[]) => {
      const sets = changes.flatMap((change) => ['--set-json', change])
      const text = await helm('install', 'issuance', chartFolder, '--dry-run=client', '-f', valuesFile(name), ...sets)
      return text.slice(text.indexOf('\nNOTES:'))
    }
    assert.match(
      await notes('live', 'releasedVersions=[]'),
      /ENVIRONMENT=live serves nothing without RELEASED_VERSIONS: POST \/auth\s+responds 400 and no token is issued/,
    )
    assert.doesNotMatch(await notes('live'), /WARNING/)
    assert.match(await notes('minimal'), /settings\.TRUSTED_PROXIES is not set/)
  })

  test('alerts and dashboards are the generated ones, and each can be switched off', async () => {
    const objects = await render('minimal')
    const rule = objects.find(({ kind }) => kind === 'PrometheusRule')
    assert.deepEqual(rule?.spec, parse(read('deploy/chart/files/rules.yaml')))
    const boards = objects.filter(({ kind }) => kind === 'ConfigMap')
    assert.ok(boards.length > 0)
    for (const { data } of boards)
      for (const [file, text] of Object.entries(data ?? {}))
        assert.deepEqual(JSON.parse(text), JSON.parse(read(`deploy/chart/files/dashboards/${file}`)))
    const without = async (...changes: string[]) =>
      new Set((await render('minimal', ...changes)).map(({ kind }) => kind))
    assert.ok(!(await without('monitoring.prometheusRule.enabled=false')).has('PrometheusRule'))
    assert.ok(!(await without('monitoring.podMonitor.enabled=false')).has('PodMonitor'))
    assert.ok(!(await without('monitoring.dashboards.enabled=false')).has('ConfigMap'))
    assert.ok(!(await without('networkPolicy.enabled=false')).has('NetworkPolicy'))
    assert.ok(!(await without('autoscaling.enabled=false')).has('HorizontalPodAutoscaler'))
    assert.ok(!(await without('migration.enabled=false')).has('Job'))
  })
})

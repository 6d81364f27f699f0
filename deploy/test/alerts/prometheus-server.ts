import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { endChild, freePort, isServing } from '../../../service/test/harness/installation/process.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { alertmanagerConfig } from '../../signals/alertmanager.ts'
import { prometheusRules } from '../../signals/rules.ts'
import type { TimeScale } from '../../signals/signal.ts'
import { missingProgram } from '../missing-program.ts'

interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

/** Reason why no Prometheus can run here; false if one can. */
export const prometheusIsMissing = missingProgram('prometheus', 'prometheus-alertmanager')

/** A Prometheus and an Alertmanager that scrape and watch an installation, with our rules. */
export class PrometheusServer {
  readonly #folder: string
  readonly #url: string
  readonly #alertmanagerUrl: string
  readonly #processes: ChildProcess[] = []

  private constructor(folder: string, port: number, alertmanagerPort: number) {
    this.#folder = folder
    this.#url = `http://127.0.0.1:${port}`
    this.#alertmanagerUrl = `http://127.0.0.1:${alertmanagerPort}`
  }

  static async start(metricsPorts: readonly number[], time: TimeScale): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-prometheus-'))
    const [port, alertmanagerPort] = [await freePort(), await freePort()]
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort}`] }] }] },
      scrape_configs: [
        {
          job_name: 'investor-token',
          static_configs: [{ targets: metricsPorts.map((metricsPort) => `127.0.0.1:${metricsPort}`) }],
        },
      ],
    }
    await writeFile(join(folder, 'prometheus.yaml'), stringify(config))
    await writeFile(join(folder, 'rules.yaml'), stringify(prometheusRules(time)))
    await writeFile(join(folder, 'alertmanager.yaml'), stringify(alertmanagerConfig()))
    const server = new PrometheusServer(folder, port, alertmanagerPort)
    server.#launch('prometheus-alertmanager', [
      '--config.file=alertmanager.yaml',
      `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
      '--cluster.listen-address=',
      '--storage.path=alerts',
    ])
    server.#launch('prometheus', [
      '--config.file=prometheus.yaml',
      `--web.listen-address=127.0.0.1:${port}`,
      '--storage.tsdb.path=data',
    ])
    const isReady = async () =>
      (await isServing(`${server.#url}/-/ready`)) && (await isServing(`${server.#alertmanagerUrl}/-/ready`))
    await until('Prometheus and Alertmanager are ready', isReady).catch(async (error: Error) => {
      await server.stop()
      throw error
    })
    return server
  }

  /** Returns the current result of a PromQL expression. */
  async query(expr: string): Promise<Sample[]> {
    const response = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(expr)}`)
    const { data, error } = (await response.json()) as {
      error?: string
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] }
    }
    if (!data) throw new Error(`${error}: ${expr}`)
    return data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
  }

  /** Returns the metrics that have a value now. */
  async metricNames(): Promise<Set<string>> {
    const series = await this.query('count by (__name__) ({__name__=~".+"})')
    return new Set(series.map(({ metric }) => metric['__name__'] ?? ''))
  }

  /** Returns the names of firing alerts of a severity that no other alert explains. */
  async firing(severity: 'page' | 'ticket'): Promise<string[]> {
    const response = await fetch(`${this.#alertmanagerUrl}/api/v2/alerts?filter=severity%3D${severity}&inhibited=false`)
    const alerts = (await response.json()) as { labels: { alertname: string } }[]
    return [...new Set(alerts.map(({ labels }) => labels.alertname))].toSorted()
  }

  async stop(): Promise<void> {
    for (const child of this.#processes) await endChild(child, 'SIGKILL')
    await rm(this.#folder, { recursive: true })
  }

  #launch(command: string, parameters: string[]): void {
    const child = spawn(command, parameters, { cwd: this.#folder, stdio: 'ignore' })
    this.#processes.push(child)
  }
}

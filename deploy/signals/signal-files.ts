import { stringify } from 'yaml'
import { alertPages } from './alert-pages.ts'
import { alertmanagerConfig } from './alertmanager.ts'
import { dashboardNames, grafanaDashboard } from './panels.ts'
import { prometheusRules } from './rules.ts'

/** Everything that is generated from the tables of alerts and objectives, by path from the root of the project. */
export function signalFiles(): Map<string, string> {
  return new Map([
    ['deploy/chart/files/rules.yaml', `${origin}${stringify(prometheusRules(), { lineWidth: 0 })}`],
    ['deploy/chart/files/alertmanager.yaml', `${origin}${stringify(alertmanagerConfig(), { lineWidth: 0 })}`],
    ...dashboardNames.map(
      (name) =>
        [`deploy/chart/files/dashboards/${name}.json`, `${JSON.stringify(grafanaDashboard(name), null, 2)}\n`] as const,
    ),
    ...[...alertPages()].map(([name, text]) => [`docs/operations/alerts/${name}`, text] as const),
  ])
}

const origin = '# npm run signals writes this file.\n'

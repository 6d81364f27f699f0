import { stringify } from 'yaml'
import { alertmanagerConfig } from './alertmanager.ts'
import { dashboardNames, grafanaDashboard } from './panels.ts'
import { prometheusRules } from './rules.ts'

/** Returns the files of the chart that the tables of alerts and objectives generate, by path from the root of the project. */
export function signalFiles(): Map<string, string> {
  return new Map([
    ['deploy/chart/files/rules.yaml', `${origin}${stringify(prometheusRules(), { lineWidth: 0 })}`],
    ['deploy/chart/files/alertmanager.yaml', `${origin}${stringify(alertmanagerConfig(), { lineWidth: 0 })}`],
    ...dashboardNames.map(
      (name) =>
        [`deploy/chart/files/dashboards/${name}.json`, `${JSON.stringify(grafanaDashboard(name), null, 2)}\n`] as const,
    ),
  ])
}

const origin = '# npm run generate -- signals writes this file.\n'

import { alertPages } from '../deploy/signals/alert-pages.ts'
import { errorsGuide } from './errors-guide.ts'
import { metricsDocument } from './metrics-document.ts'

/** Folder of the pages of alerts, which runbook annotations name. */
const alertFolder = 'docs/operations/alerts'

/** Pages of the documentation site that are not in git, because the code says everything that is in them. */
export const sitePages: ReadonlyMap<string, () => Promise<string> | string> = new Map<
  string,
  () => Promise<string> | string
>([
  ['docs/guides/errors.md', errorsGuide],
  ['docs/operations/metrics.md', metricsDocument],
  ...[...alertPages()].map(([name, text]) => [`${alertFolder}/${name}`, () => text] as const),
])

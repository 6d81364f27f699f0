import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { helm } from './helm.ts'
import type { KubernetesObject } from './kubernetes-objects.ts'

export const chartFolder = fileURLToPath(new URL('../chart/', import.meta.url))

/** Paths of the files with example values, by their names. */
export const valuesFiles: ReadonlyMap<string, string> = new Map(
  globSync(`${chartFolder}ci/*-values.yaml`)
    .toSorted()
    .map((file) => [basename(file, '-values.yaml'), file]),
)

export function valuesFile(name: string): string {
  const file = valuesFiles.get(name)
  if (!file) throw new Error(`deploy/chart/ci/${name}-values.yaml does not exist`)
  return file
}

/** Returns the objects that Helm would create for these example values, with changes as by `--set-json`. */
export async function render(name: string, ...changes: string[]): Promise<KubernetesObject[]> {
  const sets = changes.flatMap((change) => ['--set-json', change])
  const text = await helm('template', 'issuance', chartFolder, '--namespace=tokens', '-f', valuesFile(name), ...sets)
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null)
}

/** Returns the objects of one kind, by the name of their component. */
export function byComponent(objects: readonly KubernetesObject[], kind: string): Map<string, KubernetesObject> {
  return new Map(
    objects
      .filter((object) => object.kind === kind)
      .map((object) => [object.metadata.labels['app.kubernetes.io/component'] ?? '', object]),
  )
}

/** Returns the settings that a container gets, by name. */
export function settingsIn(object: KubernetesObject | undefined): Map<string, string> {
  const env = (object?.spec.template.spec.containers[0].env ?? []) as { name: string; value: string }[]
  return new Map(env.map(({ name, value }) => [name, value]))
}

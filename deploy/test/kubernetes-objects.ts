import assert from 'node:assert/strict'
import * as client from '@kubernetes/client-node'

/** The parts of a Kubernetes object that tests read. */
export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any kind of object
  spec: any
  data?: Record<string, string>
}

/**
 * Asserts what the API server would. Uses two validators: the models of one check types, required members and enums but
 * ignore unknown members, which the attribute lists of the other find.
 */
export async function assertValidObject(object: KubernetesObject): Promise<void> {
  const { apiVersion, kind } = object
  const library = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models'
  const models = (await import(`${library}/${apiVersion}`)) as Record<string, Model>
  const model = models[kind]
  assert.ok(model, `${apiVersion} has no ${kind}`)
  new model(object).validate()
  const type = `${apiVersion.split('/').at(-1)?.replace(/^v/, 'V')}${kind}`
  if (typeOf(type)) assert.deepEqual(unknownMembers(object, type, kind), [])
  // Custom resources have no attribute list.
  else assert.equal(library, '@kubernetes-models/prometheus-operator', `${type} is known to the client`)
}

type Model = new (object: unknown) => { validate(): void }

interface Typed {
  getAttributeTypeMap(): readonly { baseName: string; type: string }[]
}

function typeOf(name: string): Typed | undefined {
  const found = (client as unknown as Record<string, Partial<Typed> | undefined>)[name]
  return found?.getAttributeTypeMap ? (found as Typed) : undefined
}

/** Returns the paths of members that the type does not have. */
function unknownMembers(value: unknown, type: string, path: string): string[] {
  const element = /^Array<(.+)>$/.exec(type)?.[1]
  if (element && Array.isArray(value))
    return value.flatMap((one, index) => unknownMembers(one, element, `${path}[${index}]`))
  const model = typeOf(type)
  if (!model || typeof value !== 'object' || value === null) return []
  const attributes = new Map(model.getAttributeTypeMap().map(({ baseName, type: its }) => [baseName, its]))
  return Object.entries(value).flatMap(([name, member]) => {
    const its = attributes.get(name)
    return its === undefined ? [`${path}.${name}`] : unknownMembers(member, its, `${path}.${name}`)
  })
}

import { type Failure, PayloadMismatchError, ValidationError } from '@investor-token/sdk'
import { errorText } from './error-text.ts'
import { type Content, type Html, html } from './html.ts'
import { idempotencyKeyField, idempotencyKeyOf } from './idempotency-key.ts'

/** An input of a form, identified by its JSON pointer in the request body, like the failures of the API. */
export interface Field {
  readonly pointer: string
  /** The name in the form and the URL, if it should differ from the pointer. */
  readonly name?: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'date' | 'tel' | 'checkbox'
  readonly autocomplete?: string
  readonly hint?: string
  readonly initial?: string
  readonly isShort?: boolean
}

export interface FieldGroup {
  readonly legend: string
  readonly fields: readonly Field[]
}

/** Messages by pointer; '' is for failures that belong to no field. */
export type Failures = ReadonlyMap<string, string>

/** Returns the failures of an API error as messages to show beside the fields. */
export function failuresOf(failures: readonly Failure[], pointers: readonly string[]): Failures {
  const found = new Map<string, string>()
  for (const failure of failures) {
    const pointer = 'pointer' in failure && pointers.includes(failure.pointer) ? failure.pointer : ''
    // Details start with the name of the member, which is redundant beside its label.
    const detail = failure.detail.replace(/^The member \S+ /, 'This ').replace('must NOT', 'must not')
    const previous = found.get(pointer)
    found.set(pointer, previous === undefined ? detail : `${previous} ${detail}`)
  }
  return found
}

/** Builds the request body of a form, with each field at its pointer. Ignores any other submitted fields. */
export function requestOf(groups: readonly FieldGroup[], form: URLSearchParams): object {
  const request: Record<string, unknown> = {}
  for (const { pointer, type } of groups.flatMap(({ fields }) => fields)) {
    const [first = '', second] = pointer.slice(1).split('/')
    const value = type === 'checkbox' ? form.has(pointer) : (form.get(pointer) ?? '').trim()
    if (second === undefined) request[first] = value
    else request[first] = { ...(request[first] as object | undefined), [second]: value }
  }
  return request
}

function fieldsets({ groups, form }: Submitted, failures: Failures): Html {
  return html`${groups.map(
    ({ legend, fields }) => html`
      <fieldset>
        <legend>${legend}</legend>
        <div class="fields">${fields.map((field) => labelled(field, form, failures.get(field.pointer)))}</div>
      </fieldset>`,
  )}`
}

/** Renders a list of the invalid fields above the form, with links to them, so that screen readers read it first. */
function failureSummary(failures: Failures, groups: readonly FieldGroup[]): Content {
  if (failures.size === 0) return false
  const fields = groups.flatMap((group) => group.fields)
  return html`
    <div class="message bad" role="alert">
      <p><strong>Please correct ${failures.size === 1 ? 'one field' : `${failures.size} fields`}.</strong></p>
      <ul>
        ${[...failures].map(([pointer, detail]) => {
          const field = fields.find((one) => one.pointer === pointer)
          return field ? html`<li><a href="#${idOf(field)}">${field.label}</a></li>` : html`<li>${detail}</li>`
        })}
      </ul>
    </div>`
}

/** Explains why a form was rejected. Throws an error that the visitor can do nothing about. */
export function explain(error: unknown, groups: readonly FieldGroup[]) {
  const pointers = groups.flatMap(({ fields }) => fields.map(({ pointer }) => pointer))
  const failures = failuresOf(error instanceof ValidationError ? error.failures : [], pointers)
  const message = errorText(error)
  if (error !== undefined && failures.size === 0 && message === undefined) throw error
  return { failures, message }
}

interface Submitted {
  readonly path: string
  readonly groups: readonly FieldGroup[]
  readonly form: URLSearchParams | undefined
  readonly error: unknown
}

/** Renders a form, with what was wrong with it when it was submitted. */
export function formPanel(submitted: Submitted, button: Html): Html {
  const { path, groups, form, error } = submitted
  const { failures, message } = explain(error, groups)
  // After a payload mismatch the old key is used up, so the form needs a new one.
  const key = form && !(error instanceof PayloadMismatchError) ? idempotencyKeyOf(form) : undefined
  return html`
    ${message && html`<div class="message bad" role="alert"><p>${message}</p></div>`}
    ${failureSummary(failures, groups)}
    <form method="post" action="${path}" novalidate>
      ${idempotencyKeyField(key)}
      ${fieldsets(submitted, failures)}
      ${button}
    </form>`
}

export function labelled(field: Field, form: URLSearchParams | undefined, failure: string | undefined): Html {
  const id = idOf(field)
  const described = [field.hint && `${id}-hint`, failure && `${id}-failure`].filter(Boolean).join(' ')
  const name = field.name ?? field.pointer
  const value = form ? form.get(name) : field.initial
  const isInvalid = failure !== undefined
  const content =
    field.type === 'checkbox' ? html`value="yes" ${value && html`checked`}` : html`value="${value ?? ''}" required`
  const input = html`<input id="${id}" name="${name}" type="${field.type ?? 'text'}"
    ${content}
    ${field.autocomplete && html`autocomplete="${field.autocomplete}"`}
    ${described && html`aria-describedby="${described}"`} ${isInvalid && html`aria-invalid="true"`}>`
  const label = html`<label for="${id}">${field.label}</label>`
  const shape = field.type === 'checkbox' ? 'wide check' : field.isShort ? 'short' : ''
  return html`
    <div class="field ${shape}">
      ${field.type === 'checkbox' ? [input, label] : [label, input]}
      ${field.hint && html`<p class="hint" id="${id}-hint">${field.hint}</p>`}
      ${isInvalid && html`<p class="failure" id="${id}-failure">${failure}</p>`}
    </div>`
}

function idOf({ pointer }: Field): string {
  return pointer.slice(1).replaceAll('/', '-')
}

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Static } from 'typebox'
import { type Failure, validationFailed } from '../../platform/api/errors/errors.ts'
import { bodyValidator } from '../../platform/api/pipeline/validation.ts'
import { QuestionnaireDefinition, type questionnaireOutcomes } from './questionnaire.schema.ts'

export type Definition = Static<typeof QuestionnaireDefinition>
export type Answers = Readonly<Record<string, unknown>>
export type QuestionnaireOutcome = (typeof questionnaireOutcomes)[number]

/** Maximum length of a text whose question sets none. */
const textCharactersMax = 2000

/** Returns how the answers do not fit the questionnaire. Compiles it per request, because an installation has many. */
export function failuresOfAnswers({ schema }: Definition, answers: Answers): Failure[] {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, { title: _title, ...question }]) => [
      name,
      question.type === 'string' ? { maxLength: textCharactersMax, ...question } : question,
    ]),
  )
  const names = Object.keys(properties)
  const whole = { type: 'object', properties, required: names, additionalProperties: false }
  // The definition was validated when it was stored. Validating it as a JSON Schema again took 20 ms per request.
  const validate = new Ajv2020({ allErrors: true, strict: false, meta: false, validateSchema: false }).compile(whole)
  if (validate(answers)) return []
  return (validate.errors ?? []).slice(0, failuresMax).map(({ instancePath, message, params }) => ({
    detail: `The member answers${instancePath.replaceAll('/', '.')} ${message ?? 'is not valid'}${nameOf(params)}.`,
    pointer: `/answers${instancePath}`,
  }))
}

const failuresMax = 50

function nameOf(params: Record<string, unknown>): string {
  const name = params['additionalProperty']
  return typeof name === 'string' ? `: ${JSON.stringify(name).slice(0, 60)}` : ''
}

/** Returns the worst outcome: `refused`, then `warned`, then `appropriate`. */
export function outcomeOf({ outcomes }: Definition, answers: Answers): QuestionnaireOutcome {
  const caused = outcomes.filter(({ question, one_of: values }) => values.some((value) => value === answers[question]))
  if (caused.some(({ outcome }) => outcome === 'refused')) return 'refused'
  return caused.length > 0 ? 'warned' : 'appropriate'
}

const validateDefinition = bodyValidator(QuestionnaireDefinition)

/** Returns the questionnaire of a request, or throws with everything that is wrong with it. */
export function readDefinition(given: object): Definition {
  const failures = validateDefinition(given).map((failure) => ({
    ...failure,
    pointer: `/questionnaire${'pointer' in failure ? failure.pointer : ''}`,
  }))
  if (failures.length > 0) throw validationFailed(failures)
  const definition = given as Definition
  const impossible = impossibleOutcomes(definition)
  if (impossible.length > 0) throw validationFailed(impossible)
  return definition
}

/** Finds outcome rules that no answer can cause, because the question or the choice does not exist. */
function impossibleOutcomes({ schema, outcomes }: Definition): Failure[] {
  return outcomes.flatMap(({ question, one_of: values }, index) => {
    const pointer = `/questionnaire/outcomes/${index}`
    const asked = schema.properties[question]
    if (!asked) return [{ detail: `The member question must name a question: ${question} is none.`, pointer }]
    const type = asked.type === 'integer' ? 'number' : asked.type
    const isPossible = (value: unknown) =>
      typeof value === type && (asked.enum === undefined || asked.enum.some((choice) => choice === value))
    return values.every(isPossible)
      ? []
      : [{ detail: `The member one_of must have possible answers to ${question}.`, pointer }]
  })
}

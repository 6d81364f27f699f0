import { Type } from 'typebox'
import { Closed, Named, Text } from '../../platform/api/declare/fields.ts'

export const questionnaireOutcomes = ['appropriate', 'warned', 'refused'] as const

const Choice = Text(1, 200, { examples: ['none'] })

/**
 * A question: a subset of JSON Schema without patterns, references and combinations, so that no definition can make
 * validation slow.
 */
const Question = Named('Question', {
  type: Type.Enum(['string', 'integer', 'boolean'] as const),
  title: Text(1, 500, { description: 'The question.', examples: ['How often did you buy bonds?'] }),
  enum: Type.Optional(Type.Array(Choice, { minItems: 1, maxItems: 50, uniqueItems: true })),
  minimum: Type.Optional(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000, examples: [0] })),
  maximum: Type.Optional(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000, examples: [100] })),
  maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000, examples: [500] })),
})

const questionName = '^[a-z][a-z0-9_]{0,39}$'

const Condition = Named('OutcomeRule', {
  question: Type.String({
    pattern: questionName,
    'x-meaning': 'be the name of a question',
    examples: ['experience'],
  }),
  one_of: Type.Array(Type.Union([Choice, Type.Boolean(), Type.Integer()]), {
    minItems: 1,
    maxItems: 50,
    description: 'The answers that cause the outcome.',
    examples: [['none']],
  }),
  outcome: Type.Enum(['warned', 'refused'] as const),
})

const definitionExample = {
  schema: {
    type: 'object',
    properties: { experience: { type: 'string', title: 'How often did you buy bonds?', enum: ['none', 'often'] } },
  },
  outcomes: [{ question: 'experience', one_of: ['none'], outcome: 'warned' }],
}

/**
 * Any object, in the API's schema: a questionnaire has members named like keywords of JSON Schema, which readers of our
 * schemas would mistake for such. `QuestionnaireDefinition` says what is accepted.
 */
export const OpenQuestionnaire = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      '`schema` is a JSON Schema of the answers, of which every question must be answered: `type` is `object`, and ' +
      '`properties` has up to 50 questions with `type` (`string`, `integer` or `boolean`), `title`, `enum`, ' +
      '`minimum`, `maximum` and `maxLength`. `outcomes` has rules with `question`, `one_of` (answers) and `outcome` ' +
      '(`warned` or `refused`). If several apply, `refused` wins; if none does: `appropriate`.',
    examples: [definitionExample],
  },
)

export const OpenAnswersSchema = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'A JSON Schema of the answers. Every question must be answered.',
    examples: [definitionExample.schema],
  },
)

export const QuestionnaireDefinition = Named('QuestionnaireDefinition', {
  schema: Closed(
    {
      type: Type.Literal('object'),
      properties: Type.Record(Type.String({ pattern: questionName }), Question, {
        minProperties: 1,
        maxProperties: 50,
        examples: [{ experience: { type: 'string', title: 'How often did you buy bonds?', enum: ['none', 'often'] } }],
      }),
    },
    { description: 'A JSON Schema of the answers. Every question must be answered.' },
  ),
  outcomes: Type.Array(Condition, {
    maxItems: 100,
    description:
      'Which answers warn or refuse the investor. If several apply, `refused` wins; if none does: `appropriate`.',
  }),
})

import { CountryCode, Named, Text, Uuid } from '../../platform/api/declare/fields.ts'

const members = {
  firstname: Text(1, 100, { examples: ['Grace'] }),
  lastname: Text(1, 100, { examples: ['Hopper'] }),
  street: Text(1, 200, { examples: ['Hauptstr. 2'] }),
  zip: Text(1, 20, { examples: ['10115'] }),
  state: Text(1, 100, { examples: ['Berlin'] }),
  city: Text(1, 100, { examples: ['Berlin'] }),
  country: CountryCode('Country of residence.'),
}

export const NewBenefitingPerson = Named('NewBenefitingPerson', members)
export const BenefitingPerson = Named('BenefitingPerson', { id: Uuid('The benefiting person.'), ...members })

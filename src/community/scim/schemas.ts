// What there is to provision, as SCIM describes it (RFC 7643, 5 to 7): the provider's configuration, types of resources, and schemas.
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

export const MAX_RESULTS = 200

const off = { supported: false }

export const providerConfig = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: off,
  sort: off,
  etag: off,
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'A token that an admin made', primary: true },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const typeOf = (base: string, name: 'User' | 'Group', schema: string) => ({
  schemas: [`${CORE}:ResourceType`],
  ...{ id: name, name, endpoint: `/${name}s`, description: `${name}s of the provider`, schema, schemaExtensions: [] },
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

export const resourceTypes = (base: string) => [typeOf(base, 'User', USER_SCHEMA), typeOf(base, 'Group', GROUP_SCHEMA)]

interface More {
  type?: string
  multiValued?: boolean
  required?: boolean
  mutability?: string
  uniqueness?: string
  returned?: string
  referenceTypes?: string[]
  subAttributes?: object[]
}

const attribute = (name: string, description: string, more: More = {}) => ({
  ...{ name, type: 'string', multiValued: false, description, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...more },
})

const READ_ONLY = { mutability: 'readOnly' }
const valueAttribute = (description: string, more: More = {}) => attribute('value', description, more)

const userAttributes = [
  attribute('userName', 'The name by which the provider knows it', { required: true, uniqueness: 'server' }),
  attribute('name', 'The parts of the name of a person', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name'),
      attribute('familyName', 'The family name'),
      attribute('givenName', 'The given name'),
    ],
  }),
  attribute('displayName', 'The name of a new account'),
  attribute('active', 'false blocks the account; true lifts that block alone', { type: 'boolean' }),
  attribute('emails', 'The first or primary one is the address of a new account', {
    ...{ type: 'complex', multiValued: true },
    subAttributes: [
      valueAttribute('An address'),
      attribute('type', 'Such as work'),
      attribute('primary', 'Whether it is the one that counts', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'The groups that it is in', {
    ...{ type: 'complex', multiValued: true, ...READ_ONLY },
    subAttributes: [valueAttribute('The id of a group', READ_ONLY), attribute('display', 'Its name', READ_ONLY)],
  }),
]

const groupAttributes = [
  attribute('displayName', 'The name, by which the operator maps it', { required: true, uniqueness: 'server' }),
  attribute('members', 'The accounts in it', {
    ...{ type: 'complex', multiValued: true },
    subAttributes: [
      valueAttribute('The id of an account', { mutability: 'immutable' }),
      attribute('display', 'Its name', { mutability: 'immutable' }),
    ],
  }),
]

const schemaOf = (base: string, of: { id: string; name: string; attributes: object[] }) => ({
  schemas: [`${CORE}:Schema`],
  ...{ ...of, description: `${of.name}s` },
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${of.id}` },
})

export const schemas = (base: string) => [
  schemaOf(base, { id: USER_SCHEMA, name: 'User', attributes: userAttributes }),
  schemaOf(base, { id: GROUP_SCHEMA, name: 'Group', attributes: groupAttributes }),
]

// Services of the operator that read what members write: a classifier of spam, and a machine that members can ask.
import { z } from 'zod'
import { about, hostsWithPorts, serviceUrl, wholeNumber } from './values.ts'

export const machineSettings = {
  PRIVATE_SERVICES: hostsWithPorts.register(about, {
    default: '',
    missing: 'none',
    description:
      'hosts with their ports in your own network, or without https, that CLASSIFIER_URL and AI_URL may name, as in `127.0.0.1:8081, spam.internal:443`',
  }),
  CLASSIFIER_URL: serviceUrl.optional().register(about, {
    missing: 'none',
    live: 'machines',
    description:
      'a classifier of yours that gets each new text of a member and can have it wait for a moderator; see [the handbook](../content/docs/machines.md#a-classifier-of-spam)',
  }),
  CLASSIFIER_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, '`whsec_` and 24 to 64 random bytes in base64')
    .optional()
    .register(about, {
      missing: 'none',
      live: 'machines',
      description: 'signs what is sent there, as webhooks are signed: `whsec_` and 24 to 64 random bytes in base64',
      secret: true,
    }),
  AI_URL: serviceUrl.optional().register(about, {
    missing: 'none',
    live: 'machines',
    description:
      'the URL of chat completions, as OpenAI has them, of a machine that members can ask: it summarizes, suggests and translates; see [the handbook](../content/docs/machines.md#a-machine-to-ask)',
  }),
  AI_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 characters without spaces')
    .optional()
    .register(about, { missing: 'none', live: 'machines', description: 'the model that is asked there' }),
  AI_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, '1 to 500 characters without spaces')
    .optional()
    .register(about, {
      ...{ missing: 'none', live: 'machines', description: 'its key, as a bearer token' },
      ...{ secret: true, sentTo: 'AI_URL' },
    }),
  AI_EMBEDDINGS_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 characters without spaces')
    .optional()
    .register(about, {
      missing: 'none',
      live: 'machines',
      description:
        'the model of embeddings there, in `/embeddings` beside `/chat/completions`: things with a similar meaning are found too; see [the handbook](../content/docs/machines.md#similar-things-by-meaning)',
    }),
  AI_DAILY_TOKENS: wholeNumber(1_000, 1_000_000_000, 'a whole number from 1000 to 1000000000').register(about, {
    default: '200000',
    live: 'machines',
    input: 'number',
    description:
      'how many tokens of it the instance uses up in a day at most, questions and answers together; half of them at most for what things mean',
  }),
}

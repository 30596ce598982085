// By what requests of chats for the slash command are known. Without them the command is off.
import { z } from 'zod'
import { about } from './values.ts'

export const chatSettings = {
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, '16 to 200 characters without spaces')
    .optional()
    .register(about, {
      missing: 'off',
      description:
        'the signing secret of an app of Slack whose [slash command](../content/docs/chat.md#slack) is taken at `/api/chat/slack`',
      secret: true,
    }),
  DISCORD_PUBLIC_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits')
    .optional()
    .register(about, {
      missing: 'off',
      description:
        'the public key of an application of Discord whose [command](../content/docs/chat.md#discord) is taken at `/api/chat/discord`',
    }),
}

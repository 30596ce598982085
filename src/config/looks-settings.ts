// Settings of what the server calls itself and of its looks.
import { z } from 'zod'
import { DEFAULT_NAME } from '../language/named.ts'
import { about } from './values.ts'

export const looksSettings = {
  NAME: z
    .string()
    .regex(
      /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>"\\]{1,60}$/u,
      'a name of 1 to 60 characters without quotes and angle brackets',
    )
    .register(about, {
      default: DEFAULT_NAME,
      live: 'community',
      description: 'what the site calls itself: on pages, in mail and feeds, and to programs',
    }),
  ACCENT: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'a colour such as #b4552d')
    .optional()
    .register(about, {
      missing: 'copper',
      live: 'looks',
      input: 'colour',
      description: "the colour of the site's buttons and votes, such as `#2b6cb0`",
    }),
}

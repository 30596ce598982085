// What is said of a setting: its description and its default, for messages and docs/settings.md.
import { z } from 'zod'

/** The description of a setting. All texts are Markdown for the table in docs/settings.md. */
interface About {
  description: string
  /** The default as text. `{NAME}` is replaced by the value of a setting declared before it. */
  default?: string
  /** The effect of a missing setting, in words; needed when there is no default or when it explains little. */
  missing?: string
  /** No message ever repeats the value. */
  secret?: true
}

export const about = z.registry<About>()

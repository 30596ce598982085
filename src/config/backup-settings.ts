// The settings of backups.
import { z } from 'zod'
import { about, wholeNumber } from './values.ts'

export const backupSettings = {
  BACKUP_PASSPHRASE: z.string().min(16, 'a passphrase of at least 16 characters').optional().register(about, {
    missing: 'backups are not encrypted',
    description: 'encrypts what `npm run admin -- backup` keeps; without it a backup cannot be restored',
    secret: true,
  }),
  BACKUP_KEY: z.string().min(32, 'a key of at least 32 characters').optional().register(about, {
    missing: 'backups that are not encrypted are not signed',
    description:
      'signs backups that are not encrypted, so that a restore knows who wrote them; `openssl rand -base64 32` makes one',
    secret: true,
  }),
  BACKUP_LOG_MB: wholeNumber(64, 100_000, 'a number of megabytes from 64 to 100000').register(about, {
    default: '1024',
    description:
      'how much of its log SQLite keeps for a continuous backup that is away; beyond it the backup begins again when it is back',
  }),
}

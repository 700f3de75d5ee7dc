// Property tests check the same cases in every run, so that a run says something about the code and not about its luck; another SEED checks others.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 20_261_121) });

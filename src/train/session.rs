//! Learning, epoch by epoch.

use crate::datagen::Random;
use crate::eval::nnue::{Inputs, Network};
use crate::train::checkpoint::{Checkpoint, CheckpointError};
use crate::train::net::{Batch, Lessons, Parameters, Target};
use crate::train::optimiser::{Optimiser, Schedule};
use crate::train::sample::SampleSet;

/// How to learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Times every sample is seen.
    pub epochs: u32,
    /// Samples of a step.
    pub batch: usize,
    /// The highest learning rate.
    pub rate: f32,
    /// The share of all steps until it is reached.
    pub warm_up: f32,
    /// Weight decay, as a share of the learning rate.
    pub decay: f32,
    /// What the network is to say.
    pub target: Target,
    /// Decides where learning begins and in which order samples are seen.
    pub seed: u64,
    /// The checksum of the network that learning begins from; `None`: random numbers.
    pub start: Option<u32>,
}

/// What an epoch came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The mean loss while learning.
    pub training: f64,
    /// The mean loss over the held-out games after it.
    pub held_out: f64,
}

/// A network in the making.
pub struct Session<'a, I: Inputs, const H: usize> {
    plan: Plan,
    training: &'a SampleSet,
    held_out: &'a SampleSet,
    /// How many samples there are, and their checksums: they take a while.
    samples: String,
    parameters: Parameters<I, H>,
    optimiser: Optimiser,
    lessons: Lessons<I, H>,
    epochs: u32,
}

impl<'a, I: Inputs, const H: usize> Session<'a, I, H> {
    /// Before the first epoch.
    pub fn new(plan: Plan, training: &'a SampleSet, held_out: &'a SampleSet) -> Self {
        Session {
            plan,
            training,
            held_out,
            samples: format!("{}, {}", told(training), told(held_out)),
            parameters: Parameters::random(plan.seed),
            optimiser: Optimiser::new(Parameters::<I, H>::COUNT),
            lessons: Lessons::new(),
            epochs: 0,
        }
    }

    /// Before the first epoch, beginning from these parameters instead of random ones.
    pub fn start_from(&mut self, parameters: Parameters<I, H>) {
        self.parameters = parameters;
    }

    /// Goes on from a checkpoint of the same plan and samples.
    ///
    /// # Errors
    /// When it is of others.
    pub fn resume(&mut self, checkpoint: Checkpoint) -> Result<(), CheckpointError> {
        let expected = self.fingerprint();
        if checkpoint.fingerprint != expected {
            return Err(CheckpointError::Other {
                found: checkpoint.fingerprint,
                expected,
            });
        }
        let count = Parameters::<I, H>::COUNT;
        let fits = checkpoint.means.len() == count && checkpoint.squares.len() == count;
        let parameters = Parameters::from_values(checkpoint.values);
        let parameters = parameters.filter(|_| fits);
        self.parameters = parameters.ok_or(CheckpointError::Damaged)?;
        self.optimiser = Optimiser {
            step: checkpoint.step,
            means: checkpoint.means,
            squares: checkpoint.squares,
        };
        self.epochs = checkpoint.epochs;
        Ok(())
    }

    /// All that is needed to go on from here.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            fingerprint: self.fingerprint(),
            epochs: self.epochs,
            step: self.optimiser.step,
            values: self.parameters.values().to_vec(),
            means: self.optimiser.means.clone(),
            squares: self.optimiser.squares.clone(),
        }
    }

    fn fingerprint(&self) -> String {
        format!(
            "{}, samples {}, {:?}",
            Network::<I, H>::architecture(),
            self.samples,
            self.plan
        )
    }

    /// Epochs done.
    pub fn epochs(&self) -> u32 {
        self.epochs
    }

    /// Have all epochs been done?
    pub fn is_done(&self) -> bool {
        self.epochs >= self.plan.epochs
    }

    /// What has been learnt so far.
    pub fn parameters(&self) -> &Parameters<I, H> {
        &self.parameters
    }

    /// Sees every sample once. `heard` is told after every step how many samples that makes, and
    /// their mean loss.
    pub fn run_epoch(&mut self, mut heard: impl FnMut(usize, f64)) -> Epoch {
        let plan = self.plan;
        let mut order: Vec<u32> = (0..self.training.len() as u32).collect();
        Random::new(plan.seed, u64::from(self.epochs)).shuffle(&mut order);
        let batch = plan.batch.max(1);
        let steps = order.len().div_ceil(batch) as u64 * u64::from(plan.epochs);
        let schedule = Schedule {
            peak: plan.rate,
            warm_up: (steps as f32 * plan.warm_up) as u64,
            steps,
        };
        let (mut seen, mut losses) = (0, 0.0);
        for indices in order.chunks(batch) {
            let batch = Batch {
                samples: self.training,
                indices,
                mirroring: Some(plan.seed ^ u64::from(self.epochs) << 32),
            };
            losses +=
                self.lessons.learn(&self.parameters, batch, &plan.target) * indices.len() as f64;
            self.optimiser.step(
                self.parameters.values_mut(),
                &self.lessons.gradients(),
                1.0 / indices.len() as f32,
                schedule.rate(self.optimiser.step),
                plan.decay,
                Parameters::<I, H>::BOUNDED,
            );
            seen += indices.len();
            heard(seen, losses / seen as f64);
        }
        self.epochs += 1;
        Epoch {
            number: self.epochs,
            training: losses / seen.max(1) as f64,
            held_out: self.held_out_loss(),
        }
    }

    /// The mean loss over the held-out games.
    pub fn held_out_loss(&self) -> f64 {
        let indices: Vec<u32> = (0..self.held_out.len() as u32).collect();
        let batch = Batch {
            samples: self.held_out,
            indices: &indices,
            mirroring: None,
        };
        self.lessons
            .loss(&self.parameters, batch, &self.plan.target)
    }
}

/// What tells a set of samples from others.
fn told(samples: &SampleSet) -> String {
    format!("{} {:08x}", samples.len(), samples.checksum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::chess::ChessInputs;
    use crate::train::sample::tests::{a_few, a_few_otherwise_scored};

    const PLAN: Plan = Plan {
        epochs: 6,
        batch: 3,
        rate: 0.01,
        warm_up: 0.1,
        decay: 0.01,
        target: Target {
            scale: 200.0,
            result_share: 0.3,
        },
        seed: 8,
        start: None,
    };

    #[test]
    fn an_interrupted_session_ends_like_an_uninterrupted_one() {
        let samples = a_few();
        let session = || Session::<ChessInputs, 64>::new(PLAN, &samples, &samples);
        let mut whole = session();
        let mut losses = Vec::new();
        while !whole.is_done() {
            losses.push(whole.run_epoch(|_, _| {}));
        }
        assert!(losses[5].held_out < losses[0].training, "{losses:?}");
        let mut first = session();
        for _ in 0..2 {
            first.run_epoch(|_, _| {});
        }
        let bytes = first.checkpoint().to_bytes();
        let mut second = session();
        second
            .resume(Checkpoint::from_bytes(&bytes).unwrap())
            .unwrap();
        let rest: Vec<Epoch> = (2..6).map(|_| second.run_epoch(|_, _| {})).collect();
        assert_eq!(rest, losses[2..]);
        assert_eq!(second.parameters().values(), whole.parameters().values());
    }

    #[test]
    fn a_checkpoint_of_another_plan_is_refused() {
        let samples = a_few();
        let one = Session::<ChessInputs, 64>::new(PLAN, &samples, &samples);
        let plan = Plan { seed: 9, ..PLAN };
        let mut other = Session::<ChessInputs, 64>::new(plan, &samples, &samples);
        let refused = other.resume(one.checkpoint()).unwrap_err();
        assert!(matches!(refused, CheckpointError::Other { .. }));
    }

    #[test]
    fn a_checkpoint_of_other_samples_is_refused_however_many_they_are() {
        let (samples, others) = (a_few(), a_few_otherwise_scored());
        let one = Session::<ChessInputs, 64>::new(PLAN, &samples, &samples);
        for (training, held_out) in [(&others, &samples), (&samples, &others)] {
            let mut other = Session::<ChessInputs, 64>::new(PLAN, training, held_out);
            let refused = other.resume(one.checkpoint()).unwrap_err();
            assert!(matches!(refused, CheckpointError::Other { .. }));
        }
    }
}

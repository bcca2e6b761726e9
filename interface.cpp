#define isolated widest = 7, isolated = 0
#include <tbb/task.h>
#undef isolated
#include <stan/model/model_header.hpp>
#include <stan/io/json/json_data.hpp>
/* Part of Clinch, under the Apache License v2.0 with LLVM Exceptions. */
/* BridgeStan's C interface over a Stan model, which another text defines: what
   stanc prints has new_model(). A function that fails returns -1 or NULL, and
   sets *error to a message that the caller frees by bs_free_error_msg(). */
#include <cstring>
#include <iostream>
#include <memory>

stan::model::model_base &new_model(stan::io::var_context &data,
                                   unsigned int seed, std::ostream *messages);

struct bs_model {
  std::unique_ptr<stan::model::model_base> model;
  std::string name, info, unconstrained;
  std::string
      names[2][2]; /* with transformed parameters; with generated quantities */
  int counts[2][2];
};
struct bs_rng {
  stan::rng_t state;
};

namespace {
/* Each thread has a tape of its own. */
void begin_thread() { static thread_local stan::math::ChainableStack tape; }

template <typename Body> int guarded(char **error, Body body) {
  try {
    begin_thread();
    body();
    return 0;
  } catch (const std::exception &e) {
    if (error)
      *error = strdup(e.what());
  } catch (...) {
    if (error)
      *error = strdup("The model threw what is no std::exception.");
  }
  return -1;
}

std::string joined(const std::vector<std::string> &names) {
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ",") + name;
  return all;
}

std::unique_ptr<stan::io::var_context> context(const char *json) {
  std::istringstream in(json && *json ? json : "{}");
  return std::make_unique<stan::json::json_data>(in);
}

Eigen::VectorXd values(const double *from, size_t count) {
  return Eigen::Map<const Eigen::VectorXd>(from, count);
}

template <typename T>
T density(const stan::model::model_base &model, bool propto, bool jacobian,
          Eigen::Matrix<T, -1, 1> &theta) {
  if (propto)
    return jacobian ? model.log_prob_propto_jacobian(theta, &std::cout)
                    : model.log_prob_propto(theta, &std::cout);
  return jacobian ? model.log_prob_jacobian(theta, &std::cout)
                  : model.log_prob(theta, &std::cout);
}

/* What `propto` drops is constant: of numbers, all is. */
double gradient(const stan::model::model_base &model, bool propto,
                bool jacobian, const double *theta, double *gradient) {
  stan::math::nested_rev_autodiff nested;
  Eigen::Matrix<stan::math::var, -1, 1> variables =
      values(theta, model.num_params_r()).cast<stan::math::var>();
  stan::math::var value = density(model, propto, jacobian, variables);
  if (gradient) {
    value.grad();
    Eigen::Map<Eigen::VectorXd>(gradient, variables.size()) = variables.adj();
  }
  return value.val();
}

void describe(bs_model &m) {
  m.name = m.model->model_name();
  for (const std::string &line : m.model->model_compile_info())
    m.info += line + "\n";
  std::vector<std::string> names;
  m.model->unconstrained_param_names(names, false, false);
  m.unconstrained = joined(names);
  for (bool transformed : {false, true})
    for (bool generated : {false, true}) {
      names.clear();
      m.model->constrained_param_names(names, transformed, generated);
      m.names[transformed][generated] = joined(names);
      m.counts[transformed][generated] = names.size();
    }
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {
bs_model *bs_model_construct(const char *data, unsigned int seed,
                             char **error) {
  auto made = std::make_unique<bs_model>();
  if (guarded(error, [&] {
        made->model.reset(&new_model(*context(data), seed, &std::cout));
        describe(*made);
      }))
    return nullptr;
  return made.release();
}
void bs_model_destruct(bs_model *m) { delete m; }
void bs_free_error_msg(char *message) { free(message); }

const char *bs_name(const bs_model *m) { return m->name.c_str(); }
const char *bs_model_info(const bs_model *m) { return m->info.c_str(); }
const char *bs_param_names(const bs_model *m, bool transformed,
                           bool generated) {
  return m->names[transformed][generated].c_str();
}
const char *bs_param_unc_names(const bs_model *m) {
  return m->unconstrained.c_str();
}
int bs_param_num(const bs_model *m, bool transformed, bool generated) {
  return m->counts[transformed][generated];
}
int bs_param_unc_num(const bs_model *m) { return m->model->num_params_r(); }

bs_rng *bs_rng_construct(unsigned int seed, char **error) {
  bs_rng *made = nullptr;
  guarded(error, [&] {
    made = new bs_rng{stan::services::util::create_rng(seed, 0)};
  });
  return made;
}
void bs_rng_destruct(bs_rng *rng) { delete rng; }

int bs_param_constrain(const bs_model *m, bool transformed, bool generated,
                       const double *from, double *to, bs_rng *rng,
                       char **error) {
  return guarded(error, [&] {
    if (generated && !rng)
      throw std::invalid_argument(
          "generated quantities need a random number generator");
    stan::rng_t unused = stan::services::util::create_rng(0, 0);
    Eigen::VectorXd theta = values(from, m->model->num_params_r()), all;
    m->model->write_array(rng ? rng->state : unused, theta, all, transformed,
                          generated, &std::cout);
    Eigen::Map<Eigen::VectorXd>(to, all.size()) = all;
  });
}
int bs_param_unconstrain(const bs_model *m, const double *from, double *to,
                         char **error) {
  return guarded(error, [&] {
    Eigen::VectorXd theta;
    m->model->unconstrain_array(values(from, m->counts[0][0]), theta,
                                &std::cout);
    Eigen::Map<Eigen::VectorXd>(to, theta.size()) = theta;
  });
}
int bs_param_unconstrain_json(const bs_model *m, const char *json, double *to,
                              char **error) {
  return guarded(error, [&] {
    Eigen::VectorXd theta;
    m->model->transform_inits(*context(json), theta, &std::cout);
    Eigen::Map<Eigen::VectorXd>(to, theta.size()) = theta;
  });
}
int bs_log_density(const bs_model *m, bool propto, bool jacobian,
                   const double *theta, double *value, char **error) {
  return guarded(error, [&] {
    Eigen::VectorXd numbers = values(theta, m->model->num_params_r());
    *value = propto ? gradient(*m->model, true, jacobian, theta, nullptr)
                    : density(*m->model, false, jacobian, numbers);
  });
}
int bs_log_density_gradient(const bs_model *m, bool propto, bool jacobian,
                            const double *theta, double *value, double *to,
                            char **error) {
  return guarded(error, [&] {
    *value = gradient(*m->model, propto, jacobian, theta, to);
  });
}
}
#pragma GCC visibility pop
